-- What runs took, by the quarter of an hour in which it became known (its beginning, in Unix
-- milliseconds), so that any clock's days can be added up. It outlives the task and its runs,
-- which it therefore does not refer to.
CREATE TABLE spent (
    run_id     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    model      TEXT NOT NULL,
    task_id    TEXT NOT NULL,
    project_id TEXT NOT NULL,
    agent      TEXT NOT NULL,
    executor   TEXT NOT NULL,
    tokens     INTEGER NOT NULL,
    cost_usd   REAL NOT NULL,
    PRIMARY KEY (run_id, at, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_task ON spent (task_id);
CREATE INDEX spent_project ON spent (project_id, at);
CREATE INDEX spent_at ON spent (at);

INSERT INTO spent
SELECT run.id, iif(run.ended > 0, run.ended, run.started) / 900000 * 900000, run.model, coalesce(run.task_id, ''),
    coalesce((SELECT project_id FROM task WHERE task.id = run.task_id), ''), run.agent, run.executor, run.tokens, run.cost_usd
FROM run WHERE run.tokens > 0 OR run.cost_usd > 0;

-- The row of a run has its sums so far. What they grow by is written down in the same
-- transaction, so none is lost or counted twice, even where Beckon is killed.
CREATE TRIGGER run_spent AFTER UPDATE OF tokens, cost_usd ON run
WHEN NEW.tokens <> OLD.tokens OR NEW.cost_usd <> OLD.cost_usd BEGIN
    INSERT INTO spent
    VALUES (NEW.id, unixepoch() / 900 * 900000, NEW.model, coalesce(NEW.task_id, ''),
        coalesce((SELECT project_id FROM task WHERE task.id = NEW.task_id), ''), NEW.agent, NEW.executor,
        NEW.tokens - OLD.tokens, NEW.cost_usd - OLD.cost_usd)
    ON CONFLICT (run_id, at, model) DO UPDATE SET tokens = tokens + excluded.tokens, cost_usd = cost_usd + excluded.cost_usd;
END;

-- What the user allows. raised is added to the limit of the day that begins at raised_on.
-- left_until is until when they do not want to be asked to raise it.
CREATE TABLE budget (
    scope         TEXT NOT NULL CHECK (scope IN ('task', 'project', 'day')),
    subject       TEXT NOT NULL,
    usd           REAL NOT NULL CHECK (usd >= 0),
    tokens        INTEGER NOT NULL CHECK (tokens >= 0),
    since         INTEGER NOT NULL,
    raised_usd    REAL NOT NULL DEFAULT 0,
    raised_tokens INTEGER NOT NULL DEFAULT 0,
    raised_on     INTEGER NOT NULL DEFAULT 0,
    left_until    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, subject),
    CHECK ((scope = 'day') = (subject = ''))
) STRICT, WITHOUT ROWID;

-- The budget that a question of Beckon's own is about.
ALTER TABLE question ADD COLUMN budget TEXT CHECK (json_valid(budget));
CREATE INDEX question_budget ON question (task_id) WHERE budget IS NOT NULL;

-- The quota of plans, as agents said it last.
CREATE TABLE quota (
    agent    TEXT NOT NULL,
    executor TEXT NOT NULL,
    kind     TEXT NOT NULL,
    percent  REAL NOT NULL,
    resets   INTEGER NOT NULL,
    refused  INTEGER NOT NULL,
    said     INTEGER NOT NULL,
    PRIMARY KEY (agent, executor, kind)
) STRICT, WITHOUT ROWID;
