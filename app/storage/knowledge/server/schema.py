"""Tables and indexes on the server, made at the first connection and brought to the newest version by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncpg import Connection

VERSION = 1
_LOCK = 0x7472697074  # one program at a time makes them
_SCHEMA = """
CREATE TABLE base (
    n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    name text NOT NULL,
    sources text[] NOT NULL,
    created double precision NOT NULL,
    watched boolean NOT NULL
);
CREATE TABLE file (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    base integer NOT NULL REFERENCES base (n) ON DELETE CASCADE,
    path text NOT NULL,
    hash text NOT NULL,
    size bigint NOT NULL,
    changed double precision NOT NULL,
    read double precision NOT NULL,
    error text NOT NULL,
    passages integer NOT NULL,
    UNIQUE (base, path)
);
CREATE TABLE passage (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    file bigint NOT NULL REFERENCES file (n) ON DELETE CASCADE,
    base integer NOT NULL,
    place integer NOT NULL,
    page integer NOT NULL,
    sheet text NOT NULL,
    row integer NOT NULL,
    heading text NOT NULL,
    text text NOT NULL,
    words tsvector NOT NULL
);
CREATE INDEX passage_file ON passage (file, place);
CREATE INDEX passage_base ON passage (base, n);
CREATE INDEX passage_words ON passage USING gin (words);
"""
_VECTORS = """
CREATE TABLE vector_model (
    n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ref text NOT NULL,
    dimension integer NOT NULL,
    UNIQUE (ref, dimension)
);
CREATE TABLE passage_vector (
    passage bigint PRIMARY KEY REFERENCES passage (n) ON DELETE CASCADE,
    file bigint NOT NULL,
    base integer NOT NULL,
    model integer NOT NULL REFERENCES vector_model (n),
    data vector NOT NULL
);
"""


async def prepare(connection: Connection) -> tuple[int, bool]:
    """The version of the tables, and whether the server can compare vectors."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
    await connection.execute("CREATE SCHEMA IF NOT EXISTS triptych")
    await connection.execute("SET LOCAL search_path = triptych, public")
    await connection.execute("CREATE TABLE IF NOT EXISTS version (n integer NOT NULL)")
    version = int(await connection.fetchval("SELECT max(n) FROM version") or 0)
    if version == 0:
        await connection.execute(_SCHEMA)
        await connection.execute("INSERT INTO version VALUES ($1)", VERSION)
        version = VERSION
    if await connection.fetchval("SELECT to_regclass('triptych.passage_vector') IS NOT NULL"):
        return version, True
    if not await connection.fetchval("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"):
        return version, False
    if not await connection.fetchval("SELECT count(*) FROM pg_extension WHERE extname = 'vector'"):
        import asyncpg

        try:
            async with connection.transaction():
                await connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
        except asyncpg.InsufficientPrivilegeError:
            return version, False
    await connection.execute(_VECTORS)
    return version, True
