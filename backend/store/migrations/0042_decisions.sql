-- Decisions by when they were made: the page of decisions reads them so, a page at a time.
CREATE INDEX question_decided ON question (settled, id) WHERE settlement IN ('answered', 'expired') OR assumption <> '';
