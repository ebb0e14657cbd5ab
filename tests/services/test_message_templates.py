from __future__ import annotations

import pytest

from app.core.errors import BadInput
from app.services.container import Services
from app.services.settings.message_templates import KIND, LONGEST_TEXT


async def test_a_text_is_kept_changed_and_thrown_away(services: Services) -> None:
    prompts = services.prompts
    kept = await prompts.save("  short   trip ", "{{days=3}} days in {{city}}")
    assert kept.name == "short trip"
    other = await prompts.save("A greeting", "hello")
    assert await prompts.list() == [other, kept]
    changed = await prompts.save("long trip", kept.text, kept.id)
    assert await prompts.list() == [other, changed]
    assert await prompts.delete(kept.id)
    assert await prompts.list() == [other]


@pytest.mark.parametrize(("name", "text"), [(" ", "text"), ("name", " \n"), ("name", "x" * (LONGEST_TEXT + 1))])
async def test_it_needs_a_name_and_a_text_of_bearable_length(services: Services, name: str, text: str) -> None:
    with pytest.raises(BadInput):
        await services.prompts.save(name, text)


async def test_a_document_of_another_shape_is_passed_over(services: Services) -> None:
    await services.prompts._documents.put(KIND, "odd", ["no template"])
    await services.prompts._documents.put(KIND, "odd2", {"name": "n", "text": 5})
    assert await services.prompts.list() == []
