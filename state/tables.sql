-- The tables of one tenant's store. Keys are what a row is about; `body` columns are JSON of a class of schemas/ (see state/codec.py).
-- Tables of long rows have a rowid: without one, SQLite puts all but the first kilobyte of a row on pages of its own.
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE audiences(audience INTEGER PRIMARY KEY, readers TEXT NOT NULL UNIQUE);

-- documents: what each aspect's newest change says; *_at are places (state/place.py). titles: every title it ever had, as JSON.
CREATE TABLE documents(
    doc INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, source TEXT NOT NULL, document TEXT NOT NULL, audience INTEGER NOT NULL,
    incarnation INTEGER NOT NULL, live INTEGER NOT NULL, exists_at BLOB NOT NULL, body_at BLOB NOT NULL, content BLOB, body_title TEXT,
    title_at BLOB NOT NULL, title TEXT, path_at BLOB NOT NULL, path TEXT, readers_at BLOB NOT NULL, readers TEXT, aliases_at BLOB NOT NULL,
    aliases TEXT NOT NULL, titles TEXT NOT NULL, restored INTEGER NOT NULL
);
-- events: every accepted change, once; the version gate.
CREATE TABLE events(doc INTEGER, at BLOB, digest BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY(doc, at)) WITHOUT ROWID;
-- versions: those events that say something of the text. next: the place of the next kept version, for those taken out by a revert.
CREATE TABLE versions(
    doc INTEGER, at BLOB, content BLOB NOT NULL, time INTEGER NOT NULL, effective INTEGER NOT NULL, next BLOB, PRIMARY KEY(doc, at)
) WITHOUT ROWID;
CREATE INDEX versions_content ON versions(content);
-- contents: what bodies say, by content; who read them, and the bodies themselves (compressed), to be read again by a better reader.
CREATE TABLE contents(content BLOB PRIMARY KEY, body BLOB NOT NULL, reader TEXT NOT NULL, media_type TEXT NOT NULL, text BLOB);
-- runs: from which version to before which version a claim is worded so.
CREATE TABLE runs(
    doc INTEGER, claim INTEGER, wording INTEGER, first BLOB, last BLOB, body BLOB NOT NULL, PRIMARY KEY(doc, claim, wording, first)
) WITHOUT ROWID;
CREATE INDEX runs_first ON runs(doc, first);
CREATE INDEX runs_last ON runs(doc, last);

-- assertions: the view of facts; grp and entities are set by the view of members.
CREATE TABLE assertions(
    doc INTEGER, claim INTEGER, number INTEGER, grp BLOB, entities TEXT, body BLOB NOT NULL, PRIMARY KEY(doc, claim, number)
) WITHOUT ROWID;
CREATE INDEX assertions_grp ON assertions(grp) WHERE grp IS NOT NULL;

-- names: nodes above 0 are names, below 0 documents (-doc). uses: which claims need which node.
CREATE TABLE names(
    name INTEGER PRIMARY KEY, audience INTEGER NOT NULL, normal TEXT NOT NULL, initials TEXT NOT NULL, live INTEGER NOT NULL DEFAULT 0,
    UNIQUE(audience, normal)
);
CREATE INDEX names_initials ON names(audience, initials) WHERE initials <> '';
CREATE TABLE uses(
    node INTEGER, doc INTEGER, claim INTEGER, live INTEGER NOT NULL, surface TEXT NOT NULL, PRIMARY KEY(node, doc, claim)
) WITHOUT ROWID;
CREATE INDEX uses_claim ON uses(doc, claim);
CREATE TABLE titles(name INTEGER, doc INTEGER, current INTEGER NOT NULL, PRIMARY KEY(name, doc)) WITHOUT ROWID;
CREATE INDEX titles_doc ON titles(doc);
-- spellings: how a document spells the titles, aliases and equal names that it declares.
CREATE TABLE spellings(name INTEGER, doc INTEGER, surface TEXT, PRIMARY KEY(name, doc, surface)) WITHOUT ROWID;
CREATE INDEX spellings_doc ON spellings(doc);
CREATE TABLE links(doc INTEGER, one INTEGER, other INTEGER, PRIMARY KEY(doc, one, other)) WITHOUT ROWID;
CREATE INDEX links_one ON links(one);
CREATE INDEX links_other ON links(other);
CREATE TABLE nodes(node INTEGER PRIMARY KEY, entity BLOB NOT NULL);
CREATE INDEX nodes_entity ON nodes(entity);

CREATE TABLE reviews(
    id BLOB PRIMARY KEY, audience INTEGER NOT NULL, subject INTEGER NOT NULL, target INTEGER NOT NULL, grp BLOB, body BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX reviews_subject ON reviews(subject);
CREATE INDEX reviews_target ON reviews(target);
CREATE INDEX reviews_grp ON reviews(grp);

-- The reverse indexes: entity -> AKU (doc 0: no newest version states it) and entity -> bridge.
CREATE TABLE mentions(entity BLOB, doc INTEGER, record BLOB, PRIMARY KEY(entity, doc, record)) WITHOUT ROWID;
CREATE TABLE bridges(entity BLOB, record BLOB, PRIMARY KEY(entity, record)) WITHOUT ROWID;

-- What leaves the store, by sequence. owner: the key of the view that derives the record. wake: when the clock changes its status.
CREATE TABLE records(
    id BLOB PRIMARY KEY, kind TEXT NOT NULL, owner BLOB NOT NULL, version INTEGER NOT NULL, sequence INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL, status TEXT NOT NULL, wake INTEGER, deleted INTEGER NOT NULL, body BLOB NOT NULL, premise BLOB
);
CREATE INDEX records_owner ON records(owner);
CREATE UNIQUE INDEX records_sequence ON records(sequence);
CREATE INDEX records_wake ON records(wake) WHERE wake IS NOT NULL;
CREATE TABLE closed(
    id BLOB, version INTEGER, sequence INTEGER NOT NULL UNIQUE, known_from INTEGER NOT NULL, known_to INTEGER NOT NULL, deleted INTEGER NOT NULL,
    body BLOB NOT NULL, PRIMARY KEY(id, version)
);
CREATE INDEX closed_known ON closed(known_to) WHERE NOT deleted;
-- closed_documents: which closed versions name a document, for when its readers change or it is redacted.
CREATE TABLE closed_documents(document BLOB, id BLOB, version INTEGER, PRIMARY KEY(document, id, version)) WITHOUT ROWID;
CREATE INDEX closed_documents_record ON closed_documents(id, version);
CREATE TABLE transitions(sequence INTEGER PRIMARY KEY, record BLOB NOT NULL, body BLOB NOT NULL);
CREATE INDEX transitions_record ON transitions(record);
CREATE TABLE receipts(
    sequence INTEGER PRIMARY KEY, topic TEXT NOT NULL, part INTEGER NOT NULL, spot INTEGER NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL,
    UNIQUE(topic, part, spot, number)
);
CREATE TABLE dead_letters(
    sequence INTEGER PRIMARY KEY, topic TEXT NOT NULL, part INTEGER NOT NULL, spot INTEGER NOT NULL, number INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL, replayed INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE(topic, part, spot, number, recorded_at)
);
