-- Before every other lock, as uploads take it first, too. Until this migration ends no file may change, or it would be
-- counted twice or not at all. The three indexes take about a minute per million files.
LOCK TABLE files IN SHARE ROW EXCLUSIVE MODE;

-- Trusted since PostgreSQL 13: a role that may create objects in the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateTable
CREATE TABLE "folder_file_counts" (
    "project_id" VARCHAR(128) NOT NULL,
    "parent" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "ready" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "folder_file_counts_pkey" PRIMARY KEY ("project_id","parent","name","slot")
);

-- CreateIndex
CREATE INDEX "files_list_by_name_idx" ON "files"("project_id", "name", "id") WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_list_by_size_idx" ON "files"("project_id", "size_bytes", "id") WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_search_idx" ON "files" USING GIN ("name" gin_trgm_ops) WHERE (state = 'ready');

-- The folder itself and those it lies in, each as its parent and its own name. The root has none.
CREATE FUNCTION folders_of(folder text) RETURNS TABLE (parent text, name text) LANGUAGE sql IMMUTABLE AS $$
  SELECT array_to_string(parts[1:depth - 1], '/'), parts[depth]
  FROM (SELECT string_to_array(folder, '/') AS parts) split, generate_subscripts(split.parts, 1) depth
$$;

-- As count_ready_files, which runs before it: folders are always written last, and in the order of their keys.
CREATE FUNCTION count_folder_files() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- Most statements have nothing to do with ready files in folders: they should cost next to nothing.
    IF NOT EXISTS (SELECT 1 FROM new_files WHERE state = 'ready' AND folder <> '')
      AND NOT EXISTS (SELECT 1 FROM old_files WHERE state = 'ready' AND folder <> '') THEN
      RETURN NULL;
    END IF;
    INSERT INTO folder_file_counts AS c (project_id, parent, name, slot, ready, bytes)
    SELECT project_id, above.parent, above.name, pg_backend_pid() % 16, sum(files), sum(size) FROM (
      SELECT project_id, folder, 1 AS files, size_bytes::bigint AS size FROM new_files WHERE state = 'ready'
      UNION ALL
      SELECT project_id, folder, -1, -size_bytes::bigint FROM old_files WHERE state = 'ready'
    ) changes, folders_of(changes.folder) above
    GROUP BY 1, 2, 3 HAVING sum(files) <> 0 OR sum(size) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, parent, name, slot)
    DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO folder_file_counts AS c (project_id, parent, name, slot, ready, bytes)
    SELECT project_id, above.parent, above.name, pg_backend_pid() % 16, count(*), sum(size_bytes)
    FROM new_files, folders_of(folder) above WHERE state = 'ready' AND folder <> ''
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, parent, name, slot)
    DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  ELSE
    INSERT INTO folder_file_counts AS c (project_id, parent, name, slot, ready, bytes)
    SELECT project_id, above.parent, above.name, pg_backend_pid() % 16, -count(*), -sum(size_bytes)
    FROM old_files, folders_of(folder) above WHERE state = 'ready' AND folder <> ''
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, parent, name, slot)
    DO UPDATE SET ready = c.ready + EXCLUDED.ready, bytes = c.bytes + EXCLUDED.bytes;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER files_then_count_folders_inserted AFTER INSERT ON files REFERENCING NEW TABLE AS new_files FOR EACH STATEMENT EXECUTE FUNCTION count_folder_files();
CREATE TRIGGER files_then_count_folders_updated AFTER UPDATE ON files REFERENCING OLD TABLE AS old_files NEW TABLE AS new_files FOR EACH STATEMENT EXECUTE FUNCTION count_folder_files();
CREATE TRIGGER files_then_count_folders_deleted AFTER DELETE ON files REFERENCING OLD TABLE AS old_files FOR EACH STATEMENT EXECUTE FUNCTION count_folder_files();

INSERT INTO folder_file_counts (project_id, parent, name, slot, ready, bytes)
SELECT project_id, above.parent, above.name, 0, count(*), sum(size_bytes)
FROM files, folders_of(folder) above WHERE state = 'ready' AND folder <> '' GROUP BY 1, 2, 3;
