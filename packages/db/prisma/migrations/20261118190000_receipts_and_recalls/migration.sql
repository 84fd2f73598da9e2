-- Before every other lock, as uploads take it first, too. Adding a column without a default rewrites nothing, so the lock
-- is short. A gateway of the version before runs beside the new one: the trigger marks what it withdraws, too.
LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "withdrawn_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "signature_dates" (
    "engine" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signature_dates_pkey" PRIMARY KEY ("engine")
);

-- CreateTable
CREATE TABLE "receipt_keys" (
    "kid" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "receipt_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "downloads" (
    "file_id" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "recalled_at" TIMESTAMPTZ(3),

    CONSTRAINT "downloads_pkey" PRIMARY KEY ("file_id","token_id")
);

-- CreateIndex
CREATE INDEX "downloads_age_idx" ON "downloads"("last_at");

-- CreateIndex
CREATE INDEX "files_withdrawn_idx" ON "files"("withdrawn_at", "id") WHERE (withdrawn_at IS NOT NULL);

-- By the database's clock, so that recalls of several gateways have one order. A file that was in the trash when an
-- earlier version withdrew it is known by its time there.
UPDATE files SET withdrawn_at = scanned_at WHERE state = 'quarantined' AND trashed_at IS NOT NULL;

CREATE FUNCTION mark_file_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.withdrawn_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE TRIGGER files_mark_withdrawn BEFORE UPDATE OF state ON files FOR EACH ROW
  WHEN (NEW.state = 'quarantined' AND OLD.state IN ('ready', 'trashed')) EXECUTE FUNCTION mark_file_withdrawn();

-- Events of one withdrawn file for downloads that no event has named yet: one for each other project of their tokens, which
-- names only that project's tokens and neither the file's name nor its project. A token for every project acts for the
-- file's own project. Returns the tokens.
CREATE FUNCTION recall_downloads(file files) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  named text[];
BEGIN
  WITH told AS (
    UPDATE downloads SET recalled_at = clock_timestamp() WHERE file_id = file.id AND recalled_at IS NULL RETURNING token_id
  )
  SELECT array_agg(token_id ORDER BY token_id) INTO named FROM told;
  IF named IS NULL THEN
    RETURN '{}';
  END IF;
  INSERT INTO events (type, project_id, file_id, data)
  SELECT 'file.withdrawn', project, file.id, jsonb_build_object(
    'project_id', project, 'file_id', file.id, 'name', NULL, 'folder', NULL, 'size', file.size_bytes, 'sha256', file.sha256,
    'signature', file.signature, 'engine', file.engine, 'verdict_at', iso_time(file.scanned_at),
    'token_ids', jsonb_agg(t.id ORDER BY t.id))
  FROM tokens t CROSS JOIN LATERAL unnest(t.projects) project
  WHERE t.id = ANY (named) AND project NOT IN ('*', file.project_id) AND NOT '*' = ANY (t.projects)
  GROUP BY project ORDER BY project;
  RETURN named;
END $$;

-- Its name comes before that of the trigger that writes the file's own event, so it runs first.
CREATE FUNCTION recall_withdrawn_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM recall_downloads(NEW);
  RETURN NULL;
END $$;

CREATE TRIGGER files_recall_downloads AFTER UPDATE OF state ON files FOR EACH ROW
  WHEN (NEW.state = 'quarantined' AND OLD.state IN ('ready', 'trashed')) EXECUTE FUNCTION recall_withdrawn_file();

-- The event of the file's own project names every token that the recall has just named.
CREATE FUNCTION name_downloaders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.data := NEW.data || jsonb_build_object('token_ids', (
    SELECT coalesce(jsonb_agg(token_id ORDER BY token_id), '[]') FROM downloads
    WHERE file_id = NEW.file_id AND recalled_at IS NOT NULL));
  RETURN NEW;
END $$;

CREATE TRIGGER events_name_downloaders BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.type = 'file.withdrawn' AND NOT NEW.data ? 'token_ids') EXECUTE FUNCTION name_downloaders();

-- A gateway may write a download after the withdrawal, because it collects them in memory. Called by the sweeper. Returns the
-- number of files.
CREATE FUNCTION recall_late_downloads() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  file files;
  named text[];
  recalled integer := 0;
BEGIN
  FOR file IN
    SELECT f.* FROM files f WHERE f.withdrawn_at > now() - interval '7 days'
      AND EXISTS (SELECT 1 FROM downloads d WHERE d.file_id = f.id AND d.recalled_at IS NULL)
    ORDER BY f.withdrawn_at LIMIT 100
  LOOP
    named := recall_downloads(file);
    CONTINUE WHEN named = '{}';
    recalled := recalled + 1;
    INSERT INTO events (type, project_id, token_id, file_id, data) VALUES (
      'file.withdrawn', file.project_id, file.token_id, file.id, jsonb_build_object(
        'project_id', file.project_id, 'file_id', file.id, 'name', file.name, 'folder', file.folder, 'size', file.size_bytes,
        'sha256', file.sha256, 'signature', file.signature, 'engine', file.engine, 'verdict_at', iso_time(file.scanned_at),
        'token_ids', to_jsonb(named)));
  END LOOP;
  RETURN recalled;
END $$;
