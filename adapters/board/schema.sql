-- The tables of the board's file.  Run whenever it is opened: older files have
-- no replies.

CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    place TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    key TEXT,
    stamp INTEGER NOT NULL,
    edited INTEGER NOT NULL DEFAULT 0,
    first_text TEXT,
    hidden INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX IF NOT EXISTS post_keys
    ON posts (author, key) WHERE key IS NOT NULL;

CREATE TABLE IF NOT EXISTS reactions (
    id INTEGER PRIMARY KEY,
    post INTEGER NOT NULL REFERENCES posts,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (post, author, text)
);

CREATE TABLE IF NOT EXISTS replies (
    post INTEGER PRIMARY KEY REFERENCES posts,
    target INTEGER NOT NULL REFERENCES posts
);

CREATE TABLE IF NOT EXISTS threads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);

-- Places that only those can see who were let in.
CREATE TABLE IF NOT EXISTS galleries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);

CREATE TABLE IF NOT EXISTS members (
    gallery TEXT NOT NULL,
    user TEXT NOT NULL,
    PRIMARY KEY (gallery, user)
);
