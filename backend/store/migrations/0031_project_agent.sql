-- Which kind of agent the new tasks of a project have; empty as the settings say.
ALTER TABLE project ADD COLUMN agent TEXT NOT NULL DEFAULT '';
