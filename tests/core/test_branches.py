"""Which line through the variants of a session is read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.core.run.messages import Message, Role
from app.core.session.branches import ROOT, Tree


def q(id: str, parent: str | None = None) -> Message:
    return Message(id, "user", parent=parent)


def a(id: str, parent: str | None = None) -> Message:
    return Message(id, "assistant", parent=parent)


def ids(tree: Tree, **choices: str) -> list[str]:
    return [message.id for message in tree.line(choices).messages]


PLAIN = [q("q1"), a("a1", "q1"), q("q2"), a("a2", "q2")]


def test_messages_without_variants_are_all_read_in_their_order() -> None:
    assert ids(Tree(PLAIN)) == ["q1", "a1", "q2", "a2"]
    assert ids(Tree([q("q1"), a("a1"), q("q2")])) == ["q1", "a1", "q2"], "parents may be missing"
    assert Tree([]).line().messages == ()


def test_of_answers_to_one_question_the_newest_is_read_until_another_is_chosen() -> None:
    tree = Tree([q("q1"), a("a1", "q1"), a("b1", "q1")])
    assert ids(tree) == ["q1", "b1"]
    assert ids(tree, q1="a1") == ["q1", "a1"]
    assert tree.line().variants == {"b1": ("a1", "b1")}


def test_what_followed_an_answer_comes_and_goes_with_it() -> None:
    tree = Tree([q("q1"), a("a1", "q1"), q("q2", "a1"), a("a2", "q2"), a("b1", "q1")])
    assert ids(tree) == ["q1", "b1"]
    assert ids(tree, q1="a1") == ["q1", "a1", "q2", "a2"]


def test_an_edited_question_takes_the_place_of_the_old_one_and_its_answers() -> None:
    tree = Tree([*PLAIN, q("r1", "q1"), a("s1", "r1"), q("t1", "r1"), a("u1", "t1")])
    assert ids(tree) == ["t1", "u1"]
    assert tree.line().variants["t1"] == ("q1", "r1", "t1"), "an edit of an edit is one more variant"
    assert tree.line().follows["t1"] == ROOT
    assert [one.id for one in tree.line({ROOT: "q1"}).messages] == ["q1", "a1", "q2", "a2"]


def test_a_hidden_message_is_passed_over_and_what_follows_it_stays() -> None:
    assert ids(Tree(PLAIN, {"a1"})) == ["q1", "q2", "a2"]
    assert ids(Tree(PLAIN, {"q1", "a1"})) == ["q2", "a2"]
    assert ids(Tree(PLAIN, {"q1", "a1", "q2", "a2"})) == []


def test_a_hidden_variant_makes_room_for_the_others() -> None:
    tree = Tree([q("q1"), a("a1", "q1"), a("b1", "q1"), q("q2", "b1")], {"b1"})
    assert ids(tree) == ["q1", "a1"]
    assert set(tree.lost_with("b1")) == {"b1", "q2"}
    assert Tree(PLAIN).lost_with("a1") == ["a1"]


def test_a_parent_that_is_gone_means_the_message_before() -> None:
    assert ids(Tree([q("q1"), a("a1", "gone"), q("q2", "gone")])) == ["q1", "a1", "q2"]


@given(st.data())
def test_every_line_is_a_path_without_repetition_and_ends(data: st.DataObject) -> None:
    messages: list[Message] = []
    for number in range(data.draw(st.integers(0, 12))):
        role: Role = data.draw(st.sampled_from(["user", "assistant"]))
        parent = data.draw(st.sampled_from([None, *(one.id for one in messages)]))
        messages.append(Message(str(number), role, parent=parent))
    hidden = data.draw(st.sets(st.sampled_from([one.id for one in messages]))) if messages else set()
    choices = {one.id: data.draw(st.sampled_from(messages)).id for one in messages}
    line = Tree(messages, hidden).line(choices)
    shown = [one.id for one in line.messages]
    assert len(set(shown)) == len(shown)
    assert not set(shown) & hidden
    assert shown == sorted(shown, key=int), "nothing is read before what it follows"
    for id, options in line.variants.items():
        assert id in options
