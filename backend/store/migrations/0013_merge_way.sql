-- How the branches of a project are taken into their base.
ALTER TABLE project ADD COLUMN merge_way TEXT NOT NULL DEFAULT 'merge' CHECK (merge_way IN ('merge', 'squash', 'rebase'));
