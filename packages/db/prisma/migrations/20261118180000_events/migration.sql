-- Before every other lock, as uploads take it first, too. Adding columns without a volatile default rewrites nothing, so
-- the lock is short. A gateway of the version before runs beside the new one: the triggers write its events, too.
LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "rejection" TEXT;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "warned_bytes" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "warned_files" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "events" (
    "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "id" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "project_id" VARCHAR(128),
    "token_id" TEXT,
    "file_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "data" JSONB NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("txid","id")
);

-- CreateTable
CREATE TABLE "event_cursor" (
    "slot" INTEGER NOT NULL DEFAULT 1,
    "txid" BIGINT NOT NULL,
    "id" BIGINT NOT NULL,

    CONSTRAINT "event_cursor_pkey" PRIMARY KEY ("slot")
);

-- CreateTable
CREATE TABLE "part_states" (
    "part" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "part_states_pkey" PRIMARY KEY ("part")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "project_id" VARCHAR(128),
    "token_id" TEXT,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT NOT NULL DEFAULT '',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "secrets" TEXT[],
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "served_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_txid" BIGINT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "file_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claim" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempted_at" TIMESTAMPTZ(3),
    "status" INTEGER,
    "duration_ms" INTEGER,
    "error" TEXT,
    "response" TEXT,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "events_of_project_idx" ON "events"("project_id", "txid", "id");

-- CreateIndex
CREATE INDEX "webhook_endpoints_of_project_idx" ON "webhook_endpoints"("project_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at", "id") WHERE (state = 'pending');

-- CreateIndex
CREATE INDEX "webhook_deliveries_order_idx" ON "webhook_deliveries"("endpoint_id", "file_id", "event_id") WHERE (state = 'pending');

-- CreateIndex
CREATE INDEX "webhook_deliveries_claimed_idx" ON "webhook_deliveries"("endpoint_id") WHERE (claim IS NOT NULL);

-- CreateIndex
CREATE INDEX "webhook_deliveries_log_idx" ON "webhook_deliveries"("endpoint_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_age_idx" ON "webhook_deliveries"("created_at");

INSERT INTO event_cursor (txid, id) VALUES (0, 0);

-- As JavaScript's toISOString.
CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- One event for each change of a file that clients can notice. The conditions of the triggers let only such changes
-- through: the other statements of an upload do not call it.
CREATE FUNCTION write_file_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  file files := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  was text := CASE TG_OP WHEN 'INSERT' THEN 'pending' ELSE OLD.state END;
  becomes text := CASE TG_OP WHEN 'DELETE' THEN 'deleting' ELSE NEW.state END;
  was_stored boolean := was IN ('ready', 'trashed');
BEGIN
  IF becomes = 'ready' THEN
    INSERT INTO events (type, project_id, token_id, file_id, data) VALUES (
      'file.created', file.project_id, file.token_id, file.id, jsonb_build_object(
        'project_id', file.project_id, 'file_id', file.id, 'name', file.name, 'folder', file.folder, 'size', file.size_bytes,
        'type', file.type, 'sha256', file.sha256, 'scanned_at', iso_time(file.scanned_at), 'restored', was = 'trashed'));
  ELSIF becomes = 'quarantined' AND was_stored THEN
    INSERT INTO events (type, project_id, token_id, file_id, data) VALUES (
      'file.withdrawn', file.project_id, file.token_id, file.id, jsonb_build_object(
        'project_id', file.project_id, 'file_id', file.id, 'name', file.name, 'folder', file.folder, 'size', file.size_bytes,
        'sha256', file.sha256, 'signature', file.signature, 'engine', file.engine, 'verdict_at', iso_time(file.scanned_at)));
  ELSIF was_stored THEN
    INSERT INTO events (type, project_id, token_id, file_id, data) VALUES (
      'file.deleted', file.project_id, file.token_id, file.id, jsonb_build_object(
        'project_id', file.project_id, 'file_id', file.id, 'name', file.name, 'folder', file.folder, 'size', file.size_bytes,
        'permanent', becomes <> 'trashed'));
  ELSIF file.rejection IS NOT NULL AND file.project_id IS NOT NULL THEN
    INSERT INTO events (type, project_id, token_id, file_id, data) VALUES (
      'file.rejected', file.project_id, file.token_id, file.id, jsonb_build_object(
        'project_id', file.project_id, 'name', file.name, 'code', split_part(file.rejection, '; ', 1),
        'reason', substr(file.rejection, strpos(file.rejection, '; ') + 2)));
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER files_write_event_inserted AFTER INSERT ON files FOR EACH ROW
  WHEN (NEW.state = 'ready') EXECUTE FUNCTION write_file_event();
CREATE TRIGGER files_write_event_updated AFTER UPDATE OF state ON files FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND (NEW.state = 'ready' OR OLD.state IN ('ready', 'trashed') OR NEW.rejection IS NOT NULL))
  EXECUTE FUNCTION write_file_event();
CREATE TRIGGER files_write_event_deleted AFTER DELETE ON files FOR EACH ROW
  WHEN (OLD.state IN ('ready', 'trashed')) EXECUTE FUNCTION write_file_event();

-- Ids, counts and times only: neither the prompt nor the code. A cancelled generation has nobody who waits for it.
CREATE FUNCTION write_generation_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, token_id, data) VALUES (
    CASE NEW.outcome WHEN 'succeeded' THEN 'generation.completed' ELSE 'generation.failed' END, NEW.token_id,
    jsonb_build_object('generation_id', NEW.id, 'kind', NEW.kind, 'model', coalesce(NEW.model_used, NEW.model_asked),
      'tokens_used', NEW.tokens_used,
      'duration_ms', greatest(0, round(extract(epoch FROM NEW.finished_at - NEW.started_at) * 1000))::bigint)
    || CASE NEW.outcome WHEN 'failed' THEN jsonb_build_object('error', NEW.error_code) ELSE '{}' END);
  RETURN NULL;
END $$;

CREATE TRIGGER generations_write_event AFTER UPDATE OF outcome ON generations FOR EACH ROW
  WHEN (OLD.outcome = 'running' AND NEW.outcome IN ('succeeded', 'failed')) EXECUTE FUNCTION write_generation_event();

-- The first row of a part that works is no news.
CREATE FUNCTION write_part_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW.state = 'ok' THEN
    RETURN NULL;
  END IF;
  INSERT INTO events (type, data) VALUES (
    NEW.part || CASE NEW.state WHEN 'ok' THEN '.recovered' ELSE '.degraded' END,
    jsonb_build_object('since', iso_time(NEW.changed_at)));
  RETURN NULL;
END $$;

CREATE TRIGGER part_states_write_event_inserted AFTER INSERT ON part_states FOR EACH ROW EXECUTE FUNCTION write_part_event();
CREATE TRIGGER part_states_write_event_updated AFTER UPDATE OF state ON part_states FOR EACH ROW
  WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION write_part_event();

-- Writes project.quota.warning when usage reaches 80 % or 100 % of a limit, once until it was below 80 % again. An upload
-- that did not fit counts as 100 %. The caller holds the project's lock.
CREATE FUNCTION warn_of_quota(project text, unit text, used_before numeric, used_now numeric, max_used bigint, is_refused boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  threshold smallint := CASE WHEN is_refused OR used_now >= max_used THEN 100 WHEN used_now >= max_used * 0.8 THEN 80 ELSE 0 END;
  warned smallint;
  relevant smallint;
BEGIN
  SELECT CASE unit WHEN 'files' THEN warned_files ELSE warned_bytes END INTO warned FROM projects WHERE id = project;
  relevant := CASE WHEN used_before >= max_used * 0.8 THEN warned ELSE 0 END;
  IF threshold > relevant THEN
    INSERT INTO events (type, project_id, data) VALUES ('project.quota.warning', project, jsonb_build_object(
      'project_id', project, 'threshold', threshold, 'unit', unit, 'used', used_now, 'limit', max_used));
  END IF;
  IF greatest(threshold, relevant) <> warned THEN
    UPDATE projects SET warned_files = CASE unit WHEN 'files' THEN greatest(threshold, relevant) ELSE warned_files END,
      warned_bytes = CASE unit WHEN 'bytes' THEN greatest(threshold, relevant) ELSE warned_bytes END
    WHERE id = project;
  END IF;
END $$;

-- As before, and warns of the project's quota.
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
    IF asked.project_files IS NOT NULL AND (refusal IS NULL OR refusal = 'project files') THEN
      PERFORM warn_of_quota(asked.project_id, 'files', of_project.files,
        of_project.files + (refusal IS NULL)::int, asked.project_files, refusal IS NOT NULL);
    END IF;
    IF asked.project_bytes IS NOT NULL AND (refusal IS NULL OR refusal = 'project bytes') THEN
      PERFORM warn_of_quota(asked.project_id, 'bytes', of_project.bytes,
        of_project.bytes + CASE WHEN refusal IS NULL THEN asked.size_bytes ELSE 0 END, asked.project_bytes, refusal IS NOT NULL);
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Takes due deliveries for one attempt each. Endpoints take turns; one that answers gets up to `per_endpoint` attempts at
-- the same time, one whose last attempt failed gets one, and all of the latter together at most `max_failing`. A delivery
-- waits for an earlier event of its file, unless that has failed `ordered_attempts` times. A function, because each of its
-- statements sees what was committed before it: the counts are taken after the endpoint's lock.
CREATE FUNCTION claim_webhook_deliveries(
  claimed_by text, lease_ms integer, max_claims integer, per_endpoint integer, max_failing integer, ordered_attempts integer
) RETURNS SETOF webhook_deliveries LANGUAGE plpgsql AS $$
DECLARE
  endpoint record;
  room integer;
  found_rows integer;
  left_over integer := max_claims;
  left_failing integer;
BEGIN
  SELECT max_failing - count(*) INTO left_failing
  FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
  WHERE d.claim IS NOT NULL AND d.next_attempt_at > clock_timestamp() AND e.failing_since IS NOT NULL;

  FOR endpoint IN
    -- Jumps from endpoint to endpoint through the index instead of reading every pending delivery.
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
    )
    SELECT e.id, e.failing_since FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
    WHERE e.enabled AND EXISTS (
      SELECT 1 FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.state = 'pending' AND d.next_attempt_at <= clock_timestamp()
    )
    ORDER BY e.served_at, e.id FOR UPDATE OF e SKIP LOCKED
  LOOP
    EXIT WHEN left_over <= 0;
    SELECT CASE WHEN endpoint.failing_since IS NULL THEN per_endpoint ELSE least(1, left_failing) END - count(*) INTO room
    FROM webhook_deliveries d
    WHERE d.endpoint_id = endpoint.id AND d.claim IS NOT NULL AND d.next_attempt_at > clock_timestamp();
    CONTINUE WHEN room <= 0;

    RETURN QUERY
    UPDATE webhook_deliveries d
    SET claim = claimed_by, next_attempt_at = clock_timestamp() + lease_ms * interval '1 millisecond'
    FROM (
      SELECT c.id FROM webhook_deliveries c
      WHERE c.endpoint_id = endpoint.id AND c.state = 'pending' AND c.next_attempt_at <= clock_timestamp()
        AND NOT EXISTS (
          SELECT 1 FROM webhook_deliveries earlier
          WHERE earlier.endpoint_id = c.endpoint_id AND earlier.file_id = c.file_id AND earlier.state = 'pending'
            AND earlier.event_id < c.event_id AND earlier.attempts < ordered_attempts
        )
      ORDER BY c.next_attempt_at, c.id LIMIT least(room, left_over)
    ) due
    WHERE d.id = due.id RETURNING d.*;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    CONTINUE WHEN found_rows = 0;
    left_over := left_over - found_rows;
    IF endpoint.failing_since IS NOT NULL THEN
      left_failing := left_failing - found_rows;
    END IF;
    UPDATE webhook_endpoints SET served_at = clock_timestamp() WHERE id = endpoint.id;
  END LOOP;
END $$;
