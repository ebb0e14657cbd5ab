"""Stored messages to turns over all modes, and the repair that every request passes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.agent.request.history import NO_RESULT, repair, turns_of
from app.core.run.chat_model import AssistantTurn, CallTurn, ResultTurn, SystemTurn, Turn, UserTurn
from app.core.run.events import RunEvent, ToolCalled, ToolReturned
from app.core.run.messages import Attachment, Call, Message, Text, user_message
from app.core.run.transcript import fold
from tests.fakes import Kit, call, calls, events, fails, run_mode, says, scripted

NAMES = st.sampled_from(["a", "b", "c", "", "d"])
CALLS = st.builds(lambda label, name: CallTurn(label, name, "{}", {}), NAMES, st.sampled_from(["add", "save"]))
TURNS: st.SearchStrategy[Turn] = st.one_of(
    st.builds(UserTurn, st.sampled_from(["hi", "go on"])),
    st.builds(
        lambda text, made: AssistantTurn(text, calls=tuple(made)),
        st.sampled_from(["", "so"]),
        st.lists(CALLS, max_size=3),
    ),
    st.builds(lambda label, text: ResultTurn(label, "add", text), NAMES, st.sampled_from(["1", "2"])),
)  # fmt: skip


def assert_paired(turns: list[Turn]) -> None:
    taken: set[str] = set()
    place = 0
    while place < len(turns):
        turn = turns[place]
        place += 1
        assert not isinstance(turn, ResultTurn), "a result stands directly behind its message"
        if not isinstance(turn, AssistantTurn):
            continue
        for made in turn.calls:
            assert made.id not in {*taken, ""}, "ids are unique in the history"
            taken.add(made.id)
            answer = turns[place]
            assert isinstance(answer, ResultTurn)
            assert answer.call_id == made.id
            place += 1


@given(st.lists(TURNS, max_size=14))
def test_after_the_repair_every_call_has_one_result_and_every_result_its_call(turns: list[Turn]) -> None:
    assert_paired(repair([SystemTurn("s"), *turns]))


@given(st.lists(TURNS, max_size=14))
def test_the_repair_is_idempotent_and_keeps_what_was_said(turns: list[Turn]) -> None:
    once = repair(turns)
    assert repair(once) == once
    said = [turn.text for turn in turns if isinstance(turn, AssistantTurn)]
    assert [turn.text for turn in once if isinstance(turn, AssistantTurn)] == said
    asked = "".join(turn.text for turn in turns if isinstance(turn, UserTurn))
    assert "".join(turn.text for turn in once if isinstance(turn, UserTurn)).replace("\n\n", "") == asked


@given(st.data())
def test_a_whole_history_with_random_holes_is_valid_again(data: st.DataObject) -> None:
    whole: list[Turn] = [SystemTurn("s")]
    for n in range(4):
        made = tuple(CallTurn(f"c{n}{k}", "add", "{}", {}) for k in range(n))
        whole += [UserTurn(f"q{n}"), AssistantTurn(f"a{n}", calls=made)]
        whole += [ResultTurn(c.id, "add", "1") for c in made]
    kept = [turn for turn in whole if data.draw(st.booleans())]
    mended = repair(kept)
    assert_paired(mended)
    assert repair(mended) == mended


def test_a_whole_history_is_left_as_it_is() -> None:
    turns: list[Turn] = [
        SystemTurn("s"),
        UserTurn("q"),
        AssistantTurn("", calls=(CallTurn("c1", "add", "{}", {}), CallTurn("c2", "add", "{}", {}))),
        ResultTurn("c1", "add", "1"),
        ResultTurn("c2", "add", "2"),
        AssistantTurn("3"),
        UserTurn("q"),
    ]
    assert repair(turns) == turns


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    mended = repair([UserTurn("q"), AssistantTurn("", calls=(CallTurn("c1", "add", "{}", {}),)), UserTurn("and?")])
    assert mended[2] == ResultTurn("c1", "add", NO_RESULT, is_error=True)


def test_results_are_put_into_the_order_of_their_calls() -> None:
    made = (CallTurn("c1", "add", "{}", {}), CallTurn("c2", "save", "{}", {}))
    mended = repair([AssistantTurn("", calls=made), ResultTurn("c2", "save", "2"), ResultTurn("c1", "add", "1")])
    assert [turn.text for turn in mended if isinstance(turn, ResultTurn)] == ["1", "2"]


def test_ids_used_twice_are_told_apart() -> None:
    turns: list[Turn] = []
    for n in range(3):
        turns += [AssistantTurn("", calls=(CallTurn("call_0", "add", "{}", {}),)), ResultTurn("call_0", "add", str(n))]
    assert [(t.call_id, t.text) for t in repair(turns) if isinstance(t, ResultTurn)] == [
        ("call_0", "0"),
        ("call_0_2", "1"),
        ("call_0_3", "2"),
    ]


# ---------------------------------------------------------------- one history over all modes


async def _message(mode: str, *turns: dict[str, object]) -> Message:
    said: list[RunEvent] = events(await run_mode(mode, scripted(*turns), Kit().tools))
    return fold(said, f"m {mode}")


async def test_turns_of_a_session_over_direct_react_and_plan() -> None:
    plan = '{"goal": "g", "steps": [{"action": "add", "params": {"a": 5}}]}'
    messages = [
        user_message("u1", "hello", created=1.0),
        await _message("direct", says("hello to you")),
        user_message("u2", "1 + 0?", created=2.0),
        await _message("react", {**call("add", a=1), "content": "I add."}, says("one")),
        user_message("u3", "plan it", created=3.0),
        await _message("plan", says(plan), says("five")),
    ]
    turns = turns_of(messages)
    assert repair(turns) == turns, "nothing has to be mended"
    said = [(type(turn).__name__, getattr(turn, "text", "")) for turn in turns]
    assert said[:2] == [("UserTurn", "hello"), ("AssistantTurn", "hello to you")]
    assert ("AssistantTurn", "I add.") in said
    assert [turn.text for turn in turns if isinstance(turn, ResultTurn)] == [
        '1 + 0 = 1\n{"sum": 1}',
        '5 + 0 = 5\n{"sum": 5}',
    ]
    assert said[-1] == ("AssistantTurn", "five")


async def test_a_run_that_broke_off_is_still_a_valid_history() -> None:
    broken = await _message("react", calls(("add", {"a": 1}), ("broken", {})), fails("401"))
    turns = turns_of([user_message("u", "q", created=1.0), broken, user_message("v", "and now?", created=2.0)])
    assert_paired(repair(turns))
    assert isinstance(turns[-1], UserTurn)


def test_attached_texts_stand_behind_the_question() -> None:
    file = Attachment("ref", "notes.txt", "text/plain", "buy milk")
    turn = turns_of([user_message("u", "what is in it?", created=1.0, attachments=(file,))])[0]
    assert turn == UserTurn("what is in it?\n\n[File notes.txt]\nbuy milk")


def test_attached_images_go_along_and_what_cannot_be_read_is_named() -> None:
    files = Attachment("r1", "cat.png", "image/png"), Attachment("r2", "dog.png", "image/png")
    question = user_message("u", "which is it?", created=1.0, attachments=files)
    turn = turns_of([question], images={"r1": "data:image/png;base64,AA=="})[0]
    assert turn == UserTurn(
        "which is it?\n\n[Image cat.png]\n\n[File dog.png: its content cannot be sent]", ("data:image/png;base64,AA==",)
    )


def test_R07_what_the_person_leaves_out_is_not_sent_and_calls_keep_their_results() -> None:
    file = Attachment("ref", "notes.txt", "text/plain", "buy milk")
    question = user_message("u", "what is in it?", created=1.0, attachments=(file,))
    said = Message("m", "assistant", (Text("nothing", 1),))
    call = ToolCalled(1, "c1", "search", {})
    result = ToolReturned(1, "c1", "search", True, "ok", "", "long", 4, 4, False, 1)
    found = Message("n", "assistant", (Call(call, True, result),))
    turns = turns_of([question, said, found], left_out={"ref", "m", "c1"})
    assert turns[0] == UserTurn("what is in it?\n\n[File notes.txt] (left out by the person)")
    assert [type(turn).__name__ for turn in turns] == ["UserTurn", "AssistantTurn", "ResultTurn"]
    assert getattr(turns[2], "text", "") == "(left out by the person)"
    assert repair(turns) == turns


def test_R07_an_answer_whose_question_is_left_out_still_follows_somebody() -> None:
    def asked(n: int) -> Message:
        return user_message(f"u{n}", f"question {n}", created=1.0)

    def answered(n: int) -> Message:
        return Message(f"a{n}", "assistant", (Text(f"answer {n}", 1),))

    session = [asked(1), answered(1), asked(2), answered(2), asked(3)]
    out = "(left out by the person)"
    told = [getattr(turn, "text", "") for turn in turns_of(session, left_out={"u1", "u2"})]
    assert told == [out, "answer 1", out, "answer 2", "question 3"]
    told = [getattr(turn, "text", "") for turn in turns_of(session, left_out={"u1", "a1"})]
    assert told == ["question 2", "answer 2", "question 3"], "nothing stands for what nobody answers"
    told = [getattr(turn, "text", "") for turn in turns_of(session, left_out={"a1"})]
    assert told == ["question 1", "question 2", "answer 2", "question 3"]


def test_a_message_that_says_nothing_makes_no_turn() -> None:
    assert turns_of([Message("m", "assistant", (Text("", 1),))]) == []
