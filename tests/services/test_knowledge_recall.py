"""K2: what a person asks is found among near-misses, in documents of ten kinds and two languages, without any model."""

from __future__ import annotations

from pathlib import Path

from app.services.container import Services
from tests.knowledge.labelled import Question, labelled, written

AT_LEAST = 0.85


async def test_K2_recall_of_the_labelled_set(services: Services, tmp_path: Path) -> None:
    documents, _ = labelled()
    assert len(documents) >= 60
    assert len({Path(document.name).suffix for document in documents}) == 10
    questions = written(tmp_path / "documents")
    assert len(questions) >= 150
    base = await services.knowledge.add("documents", [tmp_path / "documents"])
    states = [state async for state in services.knowledge.read_anew(base.id)]
    assert states[-1].failed == ()
    missed: list[Question] = []
    for question in questions:
        hits = await services.knowledge.search([base.id], question.text, 5)
        right = [hit for hit in hits if Path(hit.path).name == question.document]
        if not any(_plain(question.answer) in _plain(hit.passage.text) for hit in right):
            missed.append(question)
    for unseen in (False, True):
        asked = [question for question in questions if question.is_unseen == unseen]
        recall = 1 - sum(question.is_unseen == unseen for question in missed) / len(asked)
        assert recall >= AT_LEAST, [(question.text, question.document) for question in missed]


def _plain(text: str) -> str:
    return "".join(text.split())
