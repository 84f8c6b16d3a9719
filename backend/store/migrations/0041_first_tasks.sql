-- The tops of the columns, of all projects and of each: what the first frame has is found
-- without reading the rest. Those of what is over go by the time of the last change, and
-- are apart, so that a task that is worked on changes none of them.
CREATE INDEX task_over ON task (status, updated DESC) WHERE status IN ('done', 'archived');
CREATE INDEX task_over_project ON task (project_id, status, updated DESC) WHERE status IN ('done', 'archived');
CREATE INDEX task_column_project ON task (project_id, status, rank) WHERE status NOT IN ('done', 'archived');
