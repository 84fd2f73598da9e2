-- CreateTable
CREATE TABLE "project_file_counts" (
    "project_id" VARCHAR(128) NOT NULL,
    "slot" INTEGER NOT NULL,
    "ready" INTEGER NOT NULL,

    CONSTRAINT "project_file_counts_pkey" PRIMARY KEY ("project_id","slot")
);

-- Every statement that changes files counts what became ready and what ceased to be, project by project and always in the same order of projects,
-- so that two of them never wait for each other in a circle.
CREATE FUNCTION count_ready_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO project_file_counts AS c (project_id, slot, ready)
    SELECT project_id, pg_backend_pid() % 16, sum(by) FROM (
      SELECT n.project_id, 1 AS by FROM new_files n JOIN old_files o USING (id) WHERE n.state = 'ready' AND o.state <> 'ready'
      UNION ALL
      SELECT o.project_id, -1 FROM new_files n JOIN old_files o USING (id) WHERE o.state = 'ready' AND n.state <> 'ready'
    ) changes GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO project_file_counts AS c (project_id, slot, ready)
    SELECT project_id, pg_backend_pid() % 16, count(*) FROM new_files WHERE state = 'ready' GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready;
  ELSE
    INSERT INTO project_file_counts AS c (project_id, slot, ready)
    SELECT project_id, pg_backend_pid() % 16, -count(*) FROM old_files WHERE state = 'ready' GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id, slot) DO UPDATE SET ready = c.ready + EXCLUDED.ready;
  END IF;
  RETURN NULL;
END $$;

-- They lock the table until this migration is committed: nothing changes between here and the first count.
CREATE TRIGGER files_count_inserted AFTER INSERT ON files REFERENCING NEW TABLE AS new_files FOR EACH STATEMENT EXECUTE FUNCTION count_ready_files();
CREATE TRIGGER files_count_updated AFTER UPDATE ON files REFERENCING OLD TABLE AS old_files NEW TABLE AS new_files FOR EACH STATEMENT EXECUTE FUNCTION count_ready_files();
CREATE TRIGGER files_count_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS old_files FOR EACH STATEMENT EXECUTE FUNCTION count_ready_files();

INSERT INTO project_file_counts (project_id, slot, ready) SELECT project_id, 0, count(*) FROM files WHERE state = 'ready' GROUP BY project_id;
