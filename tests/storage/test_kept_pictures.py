"""Pictures that tools returned: in no message's list of files, and gone with the last session that shows them."""

from __future__ import annotations

from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore

REF = "a" * 64


async def test_a_picture_of_a_result_goes_with_the_last_session_that_shows_it(
    db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    """The results of a run inside another one stand in no message at all."""
    picture = db.path.with_name("attachments") / REF
    picture.parent.mkdir(exist_ok=True)
    picture.write_bytes(b"picture")
    display = {"card": "gallery", "payload": {"items": [{"title": "x", "image": f"att:{REF}"}]}}
    await sessions.create(SessionRow("s2", "", "assistant", "", "", 1.0, 1.0))
    for run, session in (("r1", "s1"), ("r2", "s2")):
        await runs.start(run, session, None)
        await runs.save_result(run, "c1", {"ok": True, "display": display})
    await sessions.purge("s1")
    assert picture.exists()
    await sessions.purge("s2")
    assert not picture.exists()
