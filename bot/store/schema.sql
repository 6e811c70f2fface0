-- The tables of the store.
--
-- Each row has a checksum, so that a flipped bit is found when the file is
-- opened. In the journals it is found at the replay, so that only its game is
-- held.
--
-- Of a table without row ids SQLite puts what is longer than a fifth of a page
-- on a page of its own: so those with long rows, and many, have row ids.

CREATE TABLE IF NOT EXISTS host(
    id TEXT NOT NULL,
    sum INTEGER AS (checksum(id)) STORED
        CHECK (sum = checksum(id))
);

-- Games, in the order in which they were opened.  `round` and `ending`: where a
-- game that is over ended (store.h); an ending of -1: that is not known.
CREATE TABLE IF NOT EXISTS game(
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    place TEXT NOT NULL,
    thread TEXT NOT NULL,
    over INTEGER NOT NULL,
    held INTEGER NOT NULL DEFAULT 0,
    rows INTEGER NOT NULL DEFAULT 0,
    ended INTEGER NOT NULL DEFAULT 0,
    round INTEGER NOT NULL DEFAULT 0,
    ending INTEGER NOT NULL DEFAULT -1,
    sum INTEGER AS (checksum(number, id, place, thread, over, held, rows, ended,
            round, ending)) STORED
        CHECK (sum = checksum(number, id, place, thread, over, held, rows,
            ended, round, ending))
);
CREATE INDEX IF NOT EXISTS game_thread ON game(thread);
CREATE INDEX IF NOT EXISTS game_ended ON game(place) WHERE over = 1;

CREATE TABLE IF NOT EXISTS journal(
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    move SEALED BLOB NOT NULL,
    lines SEALED BLOB NOT NULL,
    sum INTEGER AS (checksum(row, game, move, lines)) STORED
);
CREATE INDEX IF NOT EXISTS journal_game ON journal(game, row);

-- What came of a finished game, for statistics; it is no secret: who held the
-- seats, an id a line, and the lines of its record that tell it (results.c).
CREATE TABLE IF NOT EXISTS result(
    game TEXT PRIMARY KEY,
    users TEXT NOT NULL,
    lines TEXT NOT NULL,
    sum INTEGER AS (checksum(game, users, lines)) STORED
        CHECK (sum = checksum(game, users, lines))
) WITHOUT ROWID;

-- The journals of games that are over.
CREATE TABLE IF NOT EXISTS packed_journal(
    game TEXT PRIMARY KEY,
    rows SEALED BLOB NOT NULL,
    sum INTEGER AS (checksum(game, rows)) STORED
) WITHOUT ROWID;

-- Where posts that were read stand.
CREATE TABLE IF NOT EXISTS post_place(
    number INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    place TEXT NOT NULL,
    sum INTEGER AS (checksum(number, service, place)) STORED
        CHECK (sum = checksum(number, service, place)),
    UNIQUE(service, place)
);

-- Posts that were read; `place`: the number of a post_place; `fingerprint`: a
-- number that stands for what one says.
CREATE TABLE IF NOT EXISTS post(
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    author TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    verdict SEALED BLOB,
    fingerprint INTEGER,
    sum INTEGER AS (checksum(place, id, author, stamp, verdict, fingerprint))
        STORED
        CHECK (sum = checksum(place, id, author, stamp, verdict, fingerprint)),
    UNIQUE(id, place)
);
CREATE INDEX IF NOT EXISTS post_of_place ON post(place);

-- Posts of which their authors were told that they wait for approval; `place` as
-- in `post`.
CREATE TABLE IF NOT EXISTS pending_post(
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    author TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    sum INTEGER AS (checksum(place, id, author, stamp)) STORED
        CHECK (sum = checksum(place, id, author, stamp)),
    PRIMARY KEY(place, id)
) WITHOUT ROWID;

-- Deferred posts; `dm`: 1 if written in a DM, and 2 more if what its author is
-- called in that place did not come with it.
CREATE TABLE IF NOT EXISTS deferred(
    number INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    feed TEXT NOT NULL,
    kind INTEGER NOT NULL,
    place TEXT NOT NULL,
    id TEXT NOT NULL,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    body SEALED BLOB NOT NULL,
    dialect TEXT NOT NULL,
    reply_to TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    edited INTEGER NOT NULL,
    dm INTEGER NOT NULL,
    sum INTEGER AS (checksum(number, service, feed, kind, place, id,
            author, author_name, body, dialect, reply_to, stamp, edited, dm))
        STORED
        CHECK (sum = checksum(number, service, feed, kind, place, id,
            author, author_name, body, dialect, reply_to, stamp, edited, dm))
);

-- Presses that are being answered; `came`: when, by the host's clock; `secret`:
-- with which that is done.
CREATE TABLE IF NOT EXISTS press(
    service TEXT NOT NULL,
    id TEXT NOT NULL,
    place TEXT NOT NULL,
    came INTEGER NOT NULL,
    secret SEALED BLOB NOT NULL,
    sum INTEGER AS (checksum(service, id, place, came, secret)) STORED
        CHECK (sum = checksum(service, id, place, came, secret)),
    PRIMARY KEY(service, id)
) WITHOUT ROWID;

-- Games whose secrets the operator looked at, until that is told.
CREATE TABLE IF NOT EXISTS operator_look(
    number INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    sum INTEGER AS (checksum(number, game)) STORED
        CHECK (sum = checksum(number, game))
);

-- What the operator says of messages that may have arrived: whether they are
-- there.  Until the host has taken it in.
CREATE TABLE IF NOT EXISTS operator_settled(
    message INTEGER PRIMARY KEY,
    there INTEGER NOT NULL,
    sum INTEGER AS (checksum(message, there)) STORED
        CHECK (sum = checksum(message, there))
);

-- How far feeds were read.  `read`: when, by the host's clock; 0: it was not
-- read to its end; -1: as far as all such of its service, in `reading`.
CREATE TABLE IF NOT EXISTS feed(
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    cursor TEXT NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    through INTEGER NOT NULL DEFAULT 0,
    sum INTEGER AS (checksum(service, name, cursor, read, through)) STORED
        CHECK (sum = checksum(service, name, cursor, read, through)),
    PRIMARY KEY(service, name)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reading(
    service TEXT PRIMARY KEY,
    read INTEGER NOT NULL,
    through INTEGER NOT NULL,
    sum INTEGER AS (checksum(service, read, through)) STORED
        CHECK (sum = checksum(service, read, through))
) WITHOUT ROWID;

-- Adapter states.
CREATE TABLE IF NOT EXISTS adapter_state(
    service TEXT NOT NULL,
    key TEXT NOT NULL,
    value SEALED BLOB NOT NULL,
    sum INTEGER AS (checksum(service, key, value)) STORED
        CHECK (sum = checksum(service, key, value)),
    PRIMARY KEY(service, key)
) WITHOUT ROWID;

-- DMs; `absent`: somebody is not in theirs any more, and was not asked back.
CREATE TABLE IF NOT EXISTS dm(
    service TEXT NOT NULL,
    user TEXT NOT NULL,
    place TEXT NOT NULL,
    proof SEALED BLOB NOT NULL,
    absent INTEGER NOT NULL DEFAULT 0,
    sum INTEGER AS (checksum(service, user, place, proof, absent)) STORED
        CHECK (sum = checksum(service, user, place, proof, absent)),
    PRIMARY KEY(service, user)
);
CREATE INDEX IF NOT EXISTS dm_place ON dm(service, place);

-- Members of services where ids are names, which people may change: `user`, by
-- which the host knows them, is the name under which it met them; `name` the one
-- that they have now, '' if another member has it and theirs is not known.
CREATE TABLE IF NOT EXISTS member(
    service TEXT NOT NULL,
    number INTEGER NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    sum INTEGER AS (checksum(service, number, user, name)) STORED
        CHECK (sum = checksum(service, number, user, name)),
    PRIMARY KEY(service, number)
) WITHOUT ROWID;

-- People who may not join games at a place, which is named as it is configured.
CREATE TABLE IF NOT EXISTS blocked(
    place TEXT NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    sum INTEGER AS (checksum(place, user, name)) STORED
        CHECK (sum = checksum(place, user, name)),
    PRIMARY KEY(place, user)
) WITHOUT ROWID;

-- Who is to be forgotten, and who was: then `waits` is null.  `waits`: a game
-- that is on for whose end it waits, or '' (forget.h).
CREATE TABLE IF NOT EXISTS forgotten(
    mark INTEGER PRIMARY KEY,
    waits TEXT,
    sum INTEGER AS (checksum(mark, waits)) STORED
        CHECK (sum = checksum(mark, waits))
);

-- What may end the process, and how often it was tried.
CREATE TABLE IF NOT EXISTS attempt(
    what TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    count INTEGER NOT NULL,
    sum INTEGER AS (checksum(what, at, count)) STORED
        CHECK (sum = checksum(what, at, count))
) WITHOUT ROWID;

-- Notes for commands beside the host, and of what a copy is (README.md).
CREATE TABLE IF NOT EXISTS note(
    kind TEXT NOT NULL,
    about TEXT NOT NULL,
    text TEXT NOT NULL,
    sum INTEGER AS (checksum(kind, about, text)) STORED
        CHECK (sum = checksum(kind, about, text)),
    PRIMARY KEY(kind, about)
) WITHOUT ROWID;

-- Queued messages, and those of games that are on that were sent; of a game that
-- is over only the status posts stay; `unapproved`: since when one waits
-- for a moderator's approval.
CREATE TABLE IF NOT EXISTS message(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    batch INTEGER NOT NULL,
    game TEXT NOT NULL,
    place TEXT NOT NULL,
    thread TEXT NOT NULL,
    kind INTEGER NOT NULL,
    state INTEGER NOT NULL,
    text SEALED BLOB,
    user TEXT,
    post TEXT,
    post_place TEXT,
    pings TEXT,
    once TEXT,
    waits INTEGER NOT NULL,
    not_after INTEGER NOT NULL,
    written INTEGER NOT NULL,
    picture INTEGER NOT NULL,
    report TEXT,
    sent TEXT NOT NULL,
    changed INTEGER NOT NULL,
    key TEXT NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    deadline INTEGER NOT NULL DEFAULT 0,
    named INTEGER NOT NULL DEFAULT 0,
    in_flight INTEGER NOT NULL DEFAULT 0,
    refused_at INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    trouble TEXT NOT NULL DEFAULT '',
    delivered INTEGER NOT NULL DEFAULT 0,
    shape INTEGER NOT NULL DEFAULT 0,
    part INTEGER NOT NULL DEFAULT 0,
    unapproved INTEGER NOT NULL DEFAULT 0,
    alarmed INTEGER NOT NULL DEFAULT 0,
    delivery SEALED BLOB,
    sum INTEGER AS (checksum(
            id, batch, game, place, thread, kind, state, text, user, post,
            post_place, pings, once, waits, not_after, written, picture, report,
            sent, changed, key, calls, deadline, named, in_flight, refused_at,
            refused, trouble, delivered, shape, part, unapproved, alarmed,
            delivery))
        STORED
        CHECK (sum = checksum(
            id, batch, game, place, thread, kind, state, text, user, post,
            post_place, pings, once, waits, not_after, written, picture, report,
            sent, changed, key, calls, deadline, named, in_flight, refused_at,
            refused, trouble, delivered, shape, part, unapproved, alarmed,
            delivery))
);

-- A state of 2: sent; a kind of 2: a status post (store.c).
CREATE INDEX IF NOT EXISTS message_waiting ON message(thread)
    WHERE state <> 2;
DROP INDEX IF EXISTS message_open; -- of earlier versions, without the thread
CREATE UNIQUE INDEX IF NOT EXISTS message_once ON message(once)
    WHERE once IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_sent ON message(sent)
    WHERE sent <> '';
CREATE UNIQUE INDEX IF NOT EXISTS message_status ON message(thread, game)
    WHERE kind = 2;
CREATE INDEX IF NOT EXISTS message_status_of ON message(game)
    WHERE kind = 2;
-- What is deleted once its game is over, and which keys it has used.
CREATE INDEX IF NOT EXISTS message_key ON message(game, key)
    WHERE kind <> 2;
DROP INDEX IF EXISTS message_game; -- of earlier versions, without the key
-- Calls whose text may still be needed, and messages of a session under way.
CREATE INDEX IF NOT EXISTS message_calls ON message(game)
    WHERE calls <> 0 AND text IS NOT NULL;
CREATE INDEX IF NOT EXISTS message_hidden ON message(game)
    WHERE delivery IS NOT NULL AND state <> 2;
