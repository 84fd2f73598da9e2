-- Before every other lock, as uploads take it first, too. Until this migration ends no file may change, or it would be
-- counted twice or not at all.
LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "project_file_counts" ADD COLUMN     "bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "max_bytes" BIGINT,
ADD COLUMN     "max_files" BIGINT;

-- AlterTable
ALTER TABLE "tokens" ADD COLUMN     "max_bytes" BIGINT,
ADD COLUMN     "max_files" BIGINT;

-- CreateTable
CREATE TABLE "token_file_counts" (
    "token_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "ready" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "token_file_counts_pkey" PRIMARY KEY ("token_id","slot")
);

-- CreateIndex
CREATE INDEX "files_refused_idx" ON "files"("scanned_at") WHERE (state = 'quarantined') AND (blob_key IS NULL);

-- CreateIndex
CREATE INDEX "generations_ended_idx" ON "generations"("started_at") WHERE (outcome <> 'running');

-- As before, now with bytes and also by token. Every branch writes tokens and projects in the same order, and each of
-- them in the order of their ids, so that two statements never wait for each other in a circle.
CREATE OR REPLACE FUNCTION count_ready_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Two of the three statements of an upload have nothing to do with ready files: they should cost next to nothing.
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT 1 FROM new_files WHERE state = 'ready') AND NOT EXISTS (SELECT 1 FROM old_files WHERE state = 'ready') THEN
      RETURN NULL;
    END IF;
    WITH changes AS (
      SELECT n.project_id, n.token_id, 1 AS files, n.size_bytes::bigint AS bytes
      FROM new_files n JOIN old_files o USING (id) WHERE n.state = 'ready' AND o.state <> 'ready'
      UNION ALL
      SELECT o.project_id, o.token_id, -1, -o.size_bytes::bigint
      FROM new_files n JOIN old_files o USING (id) WHERE o.state = 'ready' AND n.state <> 'ready'
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes)
      SELECT project_id, pg_backend_pid() % 16, sum(files), sum(bytes) FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes)
    SELECT token_id, pg_backend_pid() % 16, sum(files), sum(bytes) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT 1 FROM new_files WHERE state = 'ready') THEN
      RETURN NULL;
    END IF;
    WITH changes AS (
      SELECT project_id, token_id, size_bytes::bigint AS bytes FROM new_files WHERE state = 'ready'
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes)
      SELECT project_id, pg_backend_pid() % 16, count(*), sum(bytes) FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes)
    SELECT token_id, pg_backend_pid() % 16, count(*), sum(bytes) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  ELSE
    WITH changes AS (
      SELECT project_id, token_id, size_bytes::bigint AS bytes FROM old_files WHERE state = 'ready'
    ), of_projects AS (
      INSERT INTO project_file_counts AS c (project_id, slot, ready, bytes)
      SELECT project_id, pg_backend_pid() % 16, -count(*), -sum(bytes) FROM changes GROUP BY project_id ORDER BY project_id
      ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes
    )
    INSERT INTO token_file_counts AS c (token_id, slot, ready, bytes)
    SELECT token_id, pg_backend_pid() % 16, -count(*), -sum(bytes) FROM changes
    WHERE token_id IS NOT NULL GROUP BY token_id ORDER BY token_id
    ON CONFLICT (token_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  END IF;
  RETURN NULL;
END $$;

DELETE FROM project_file_counts;
INSERT INTO project_file_counts (project_id, slot, ready, bytes)
SELECT project_id, 0, count(*), sum(size_bytes) FROM files WHERE state = 'ready' GROUP BY project_id;
INSERT INTO token_file_counts (token_id, slot, ready, bytes)
SELECT token_id, 0, count(*), sum(size_bytes) FROM files WHERE state = 'ready' AND token_id IS NOT NULL GROUP BY token_id;

-- scanning → ready for files whose project or token has a quota, one after another in the order given. Null is no
-- limit. What is over a quota is returned with the name of the quota; what is not `scanning` any more is not returned.
-- A function, because each statement in one sees what was committed before it began: the sums are taken after the
-- locks, so of uploads at the same moment each sees the one before.
CREATE FUNCTION publish_files_within_quota(
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
    SELECT coalesce(sum(c.ready), 0) AS files, coalesce(sum(c.bytes), 0) AS bytes INTO of_project
    FROM project_file_counts c WHERE c.project_id = asked.project_id;
    SELECT coalesce(sum(c.ready), 0) AS files, coalesce(sum(c.bytes), 0) AS bytes INTO of_token
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
