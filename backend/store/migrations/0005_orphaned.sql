-- A question whose run ended first is orphaned, which was called stranded. A
-- CHECK cannot be altered, so the table is made again; its rows keep their
-- rowids, which order those that were asked in the same millisecond.
CREATE TABLE question_again (
    id          TEXT PRIMARY KEY CHECK (id <> ''),
    task_id     TEXT REFERENCES task (id) ON DELETE CASCADE,
    run_id      TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    kind        TEXT NOT NULL CHECK (kind IN ('ask', 'permission', 'plan', 'elicitation')),
    tool_use_id TEXT NOT NULL,
    agent       TEXT NOT NULL,
    items       TEXT NOT NULL CHECK (json_valid(items)),
    permission  TEXT CHECK (json_valid(permission)),
    plan        TEXT NOT NULL,
    form        TEXT NOT NULL,
    message     TEXT NOT NULL,
    -- Who asks from outside, and from where.
    origin      TEXT NOT NULL,
    policy      TEXT NOT NULL CHECK (policy IN ('proceed', 'wait', 'park')),
    asked       INTEGER NOT NULL,
    deadline    INTEGER NOT NULL,
    wait_ms     INTEGER NOT NULL CHECK (wait_ms >= 0),
    held_ms     INTEGER NOT NULL CHECK (held_ms >= 0),
    settlement  TEXT NOT NULL CHECK (settlement IN ('open', 'answered', 'expired', 'withdrawn', 'orphaned')),
    answer      TEXT CHECK (json_valid(answer)),
    settled     INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    delivered   INTEGER NOT NULL,
    -- Under which ID the agent's own record of the conversation will show the
    -- answer.
    proof       TEXT NOT NULL,
    -- What the agent took for granted when nobody answered, in its words.
    assumption  TEXT NOT NULL,
    -- The standing answer that settled it. A rule may be gone since.
    rule_id     TEXT NOT NULL,
    CHECK ((settled = 0) = (settlement IN ('open', 'orphaned'))),
    CHECK (settlement <> 'answered' OR answer IS NOT NULL)
) STRICT;

INSERT INTO question_again (rowid, id, task_id, run_id, kind, tool_use_id, agent, items, permission, plan, form, message,
    origin, policy, asked, deadline, wait_ms, held_ms, settlement, answer, settled, reason, delivered, proof, assumption, rule_id)
SELECT rowid, id, task_id, run_id, kind, tool_use_id, agent, items, permission, plan, form, message,
    origin, policy, asked, deadline, wait_ms, held_ms, iif(settlement = 'stranded', 'orphaned', settlement), answer, settled,
    reason, delivered, proof, assumption, rule_id
FROM question;

DROP TABLE question;
ALTER TABLE question_again RENAME TO question;

CREATE INDEX question_waiting ON question (asked) WHERE settlement IN ('open', 'orphaned');
CREATE INDEX question_task ON question (task_id, asked);
CREATE INDEX question_run ON question (run_id);
CREATE INDEX question_answered ON question (answer ->> 'at') WHERE answer IS NOT NULL;
CREATE INDEX question_owed ON question (task_id) WHERE delivered = 0 AND answer IS NOT NULL;

-- Nothing ever read or wrote these.
ALTER TABLE project DROP COLUMN setup;
ALTER TABLE project DROP COLUMN limits;
