"""The tables of the first released version, as migration 1 makes them.

The order of messages is `seq` within a session; times are for information only. Ids are ours
(ULIDs); integer keys (`n`) never leave this floor. Bodies lie in a table of their own, so that
a list of ten thousand messages is read without them. What the columns hold:

    message.state      core.outcome.MessageState
    run.state          the same, of the message it makes
    tool_intent.state  proposed, running, done, failed, unknown
    event.body         one event of interfaces.md 4 without run, session and v
    owner              the processes that have answers in progress (see owner.py)

This text never changes again: later versions are further migrations.
"""

FIRST_SCHEMA = """
CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    made REAL NOT NULL,
    clean REAL,
    messages INTEGER NOT NULL DEFAULT 0,
    highest INTEGER NOT NULL DEFAULT 0
);
INSERT INTO meta (id, made) VALUES (1, unixepoch('subsec'));

CREATE TABLE owner (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    born TEXT NOT NULL,
    lease REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE session (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL DEFAULT '',
    agent TEXT NOT NULL DEFAULT '',
    mode TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    created REAL NOT NULL,
    updated REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    folder TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0,
    trashed REAL,
    preview TEXT NOT NULL DEFAULT '',
    draft TEXT NOT NULL DEFAULT '',
    extra TEXT
);
CREATE INDEX session_list ON session (pinned DESC, updated DESC) WHERE trashed IS NULL;
CREATE INDEX session_bin ON session (trashed) WHERE trashed IS NOT NULL;

CREATE TABLE message (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    parent TEXT,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    created REAL NOT NULL,
    run TEXT,
    owner TEXT,
    text_length INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session, seq)
);
CREATE INDEX message_open ON message (state) WHERE state IN ('pending', 'streaming');

CREATE TABLE body (
    message INTEGER PRIMARY KEY REFERENCES message (n) ON DELETE CASCADE,
    json TEXT NOT NULL,
    checksum BLOB NOT NULL
);

CREATE TABLE run (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    session INTEGER REFERENCES session (n) ON DELETE CASCADE,
    message TEXT,
    parent TEXT,
    agent TEXT NOT NULL DEFAULT '',
    mode TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    started REAL NOT NULL,
    ended REAL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    steps INTEGER NOT NULL DEFAULT 0,
    usage TEXT,
    owner TEXT
);
CREATE INDEX run_session ON run (session, n);
CREATE INDEX run_open ON run (state) WHERE state IN ('pending', 'streaming');

CREATE TABLE event (
    run INTEGER NOT NULL REFERENCES run (n) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;

CREATE TABLE result (
    n INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (n) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run, call_id)
);

CREATE TABLE tool_intent (
    run INTEGER NOT NULL REFERENCES run (n) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    name TEXT NOT NULL,
    args_hash TEXT NOT NULL,
    state TEXT NOT NULL,
    permit TEXT,
    server TEXT,
    started REAL,
    ended REAL,
    PRIMARY KEY (run, call_id)
) WITHOUT ROWID;

CREATE TABLE document (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    created REAL NOT NULL,
    UNIQUE (kind, id, version)
);

CREATE TABLE attachment (
    hash TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    size INTEGER NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
"""

MODEL_CALLS = """
CREATE TABLE model_call (
    n INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (n) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    body BLOB NOT NULL,
    UNIQUE (run, number)
);
"""
"""Migration 4. A body is a `core.run.model_call.ModelCall` as compressed JSON."""

FACTS = """
CREATE TABLE fact (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    text TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'fact',
    about TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,
    session TEXT NOT NULL DEFAULT '',
    run TEXT NOT NULL DEFAULT '',
    created REAL NOT NULL,
    valid_from REAL NOT NULL,
    valid_to REAL,
    replaces TEXT NOT NULL DEFAULT '',
    used REAL
);
CREATE INDEX fact_agent ON fact (agent, state, n);
"""
"""Migration 6: what agents remember, one `core.memory.MemoryFact` a row. A fact outlives the session it is from."""

ROW_CHECKSUMS = """
CREATE TABLE row_checksum (
    of_table INTEGER NOT NULL,
    of_row NOT NULL,
    sum BLOB NOT NULL,
    PRIMARY KEY (of_table, of_row)
) WITHOUT ROWID;
"""
"""Migration 5: a checksum for each row of the tables in `row_checksums.py`, and for the log of each finished run."""

NOTES_AND_RATINGS = """
CREATE TABLE session_note (
    session INTEGER NOT NULL REFERENCES session (n) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, kind)
) WITHOUT ROWID;

CREATE TABLE rating (
    message TEXT PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    agent TEXT NOT NULL,
    mode TEXT NOT NULL,
    query TEXT NOT NULL,
    value INTEGER NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
"""
"""Migration 3. A note is JSON the window keeps with a session: which variants are read, what is to
be deleted, which messages wait to be sent. A rating is a thumb on an answer: 1 or -1."""
