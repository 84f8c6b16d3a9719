-- The page of the discussion on the pull request that a comment began, or that it takes to the
-- agent.
ALTER TABLE comment ADD COLUMN thread TEXT NOT NULL DEFAULT '';
