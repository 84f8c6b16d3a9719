-- Why something did not go on is a code with its values, as JSON, and empty for none: it
-- was a sentence in English. Of a run whose session claude does not know, stderr said so
-- alone. Package sentence rewrites the rest.
CREATE TEMP TABLE unknown_session AS
    SELECT id FROM run WHERE instr(detail, 'No conversation found with session ID') > 0;
