-- The answers that a question had before its present one, the first one first;
-- NULL for none. A person can change what they said.
ALTER TABLE question ADD COLUMN earlier TEXT CHECK (json_valid(earlier));
