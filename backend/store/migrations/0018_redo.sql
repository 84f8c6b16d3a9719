-- A card of a step that was taken back can be changed like that again: the higher
-- undone, the later it was taken back; 0 of one that was not. before is then how it
-- was left, and deleted has the rows of one that was made and is gone again.
ALTER TABLE undo_card ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
