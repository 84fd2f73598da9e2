-- Moving to another store: which move has copied a file, and the two stores of the move under way.
ALTER TABLE "files" ADD COLUMN     "move_id" TEXT;
ALTER TABLE "installation" ADD COLUMN     "mirror_id" TEXT,
ADD COLUMN     "move_id" TEXT;

-- Exchanges the current store and the mirror if no visible file and no upload under way depends on the current one alone.
-- Returns true when it did, false when such a file exists or another process has changed the installation, null when the
-- table was in use for too long. The lock makes every change of a file come before the look or after the switch: an upload
-- that begins afterwards compares the store with the new one. A function, because each of its statements sees what was
-- committed before it. The time limit is below deadlock_timeout, so that never an upload is ended to resolve a deadlock.
CREATE FUNCTION switch_store(from_store text, of_move text) RETURNS boolean LANGUAGE plpgsql
SET lock_timeout = '500ms' AS $$
BEGIN
  BEGIN
    LOCK TABLE files IN SHARE MODE;
  EXCEPTION WHEN lock_not_available THEN
    RETURN NULL;
  END;
  PERFORM 1 FROM files
  WHERE state IN ('pending', 'scanning', 'ready', 'trashed') AND move_id IS DISTINCT FROM of_move LIMIT 1;
  IF FOUND THEN
    RETURN false;
  END IF;
  UPDATE installation SET store_id = mirror_id, mirror_id = store_id WHERE store_id = from_store AND move_id = of_move;
  RETURN FOUND;
END $$;
