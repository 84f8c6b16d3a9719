-- Runs by when they began, and questions by when they were asked: the numbers of some days are
-- read again and again.
CREATE INDEX run_started ON run (started);
CREATE INDEX question_asked ON question (asked);
