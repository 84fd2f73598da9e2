-- Before every other lock, as uploads take it first, too. Until this migration ends no file may change: what changes is
-- counted by the old function or by the new one, never by both. Reads wait only from the ALTER TABLE on. A gateway of the
-- version before runs beside the new one: it reads no new column, and takes a trashed file for one that is not there.
LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE;

-- CreateIndex
CREATE INDEX "files_trash_rescan_idx" ON "files"("engine", "scanned_at", "id") WHERE (state = 'trashed');

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "trashed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "project_file_counts" ADD COLUMN     "trashed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "trashed_bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "token_file_counts" ADD COLUMN     "trashed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "trashed_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "files_trash_idx" ON "files"("project_id", "trashed_at" DESC, "id" DESC) WHERE (state = 'trashed');

-- CreateIndex
CREATE INDEX "files_trash_age_idx" ON "files"("trashed_at") WHERE (state = 'trashed');

-- As before, now also of trashed files. Every branch writes projects, then tokens, and each of them in the order of
-- their ids, so that two statements never wait for each other in a circle.
CREATE OR REPLACE FUNCTION count_ready_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Two of the three statements of an upload have nothing to do with stored files: they should cost next to nothing.
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT 1 FROM new_files WHERE state IN ('ready', 'trashed'))
      AND NOT EXISTS (SELECT 1 FROM old_files WHERE state IN ('ready', 'trashed')) THEN
      RETURN NULL;
    END IF;
    WITH changes AS (
      SELECT n.project_id, n.token_id, (n.state = 'ready')::int - (o.state = 'ready')::int AS ready,
        (n.state = 'trashed')::int - (o.state = 'trashed')::int AS trashed, n.size_bytes::bigint AS size
      FROM new_files n JOIN old_files o USING (id)
      WHERE n.state <> o.state AND (n.state IN ('ready', 'trashed') OR o.state IN ('ready', 'trashed'))
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes, trashed, trashed_bytes)
      SELECT project_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size)
      FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
        trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes, trashed, trashed_bytes)
    SELECT token_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
      trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes;
  ELSIF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT 1 FROM new_files WHERE state IN ('ready', 'trashed')) THEN
      RETURN NULL;
    END IF;
    WITH changes AS (
      SELECT project_id, token_id, (state = 'ready')::int AS ready, (state = 'trashed')::int AS trashed, size_bytes::bigint AS size
      FROM new_files WHERE state IN ('ready', 'trashed')
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes, trashed, trashed_bytes)
      SELECT project_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size)
      FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
        trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes, trashed, trashed_bytes)
    SELECT token_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
      trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes;
  ELSE
    WITH changes AS (
      SELECT project_id, token_id, -(state = 'ready')::int AS ready, -(state = 'trashed')::int AS trashed, size_bytes::bigint AS size
      FROM old_files WHERE state IN ('ready', 'trashed')
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes, trashed, trashed_bytes)
      SELECT project_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size)
      FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
        trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes, trashed, trashed_bytes)
    SELECT token_id, pg_backend_pid() % 16, sum(ready), sum(ready * size), sum(trashed), sum(trashed * size) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes,
      trashed = c.trashed + EXCLUDED.trashed, trashed_bytes = c.trashed_bytes + EXCLUDED.trashed_bytes;
  END IF;
  RETURN NULL;
END $$;

-- As before; files in the trash fill a quota as ready ones do.
CREATE OR REPLACE FUNCTION publish_files_within_quota(
  ids text[], engines text[], ats timestamptz[],
  project_max_files bigint[], project_max_bytes bigint[], token_max_files bigint[], token_max_bytes bigint[]
) RETURNS TABLE (file_id text, refusal text, published files) LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  of_project record;
  of_token record;
BEGIN
  PERFORM pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('project ' || project_id, 0) AS key FROM files
    WHERE id = ANY (ids) AND project_id IS NOT NULL ORDER BY 1
  ) of_projects;
  PERFORM pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('token ' || token_id, 0) AS key FROM files
    WHERE id = ANY (ids) AND token_id IS NOT NULL ORDER BY 1
  ) of_tokens;

  FOR asked IN
    SELECT given.*, f.project_id, f.token_id, f.size_bytes
    FROM unnest(ids, engines, ats, project_max_files, project_max_bytes, token_max_files, token_max_bytes)
      WITH ORDINALITY given (id, engine, at, project_files, project_bytes, token_files, token_bytes, place)
    JOIN files f ON f.id = given.id AND f.state IS NOT DISTINCT FROM 'scanning'
    ORDER BY place
  LOOP
    SELECT coalesce(sum(c.ready + c.trashed), 0) AS files, coalesce(sum(c.bytes + c.trashed_bytes), 0) AS bytes INTO of_project
    FROM project_file_counts c WHERE c.project_id = asked.project_id;
    SELECT coalesce(sum(c.ready + c.trashed), 0) AS files, coalesce(sum(c.bytes + c.trashed_bytes), 0) AS bytes INTO of_token
    FROM token_file_counts c WHERE c.token_id = asked.token_id;

    file_id := asked.id;
    published := NULL;
    refusal := CASE
      WHEN of_project.files >= asked.project_files THEN 'project files'
      WHEN greatest(of_project.bytes + asked.size_bytes, of_project.bytes + 1) > asked.project_bytes THEN 'project bytes'
      WHEN of_token.files >= asked.token_files THEN 'token files'
      WHEN greatest(of_token.bytes + asked.size_bytes, of_token.bytes + 1) > asked.token_bytes THEN 'token bytes'
    END;
    IF refusal IS NULL THEN
      UPDATE files SET state = 'ready', engine = asked.engine, scanned_at = asked.at, created_at = asked.at,
        lease_expires_at = NULL
      WHERE id = asked.id AND state IS NOT DISTINCT FROM 'scanning' RETURNING * INTO published;
      CONTINUE WHEN NOT FOUND;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
