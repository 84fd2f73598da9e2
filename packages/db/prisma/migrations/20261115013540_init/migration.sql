-- CreateTable
CREATE TABLE "tokens" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "projects" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" VARCHAR(128) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" TEXT NOT NULL,
    "project_id" VARCHAR(128),
    "state" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "folder" TEXT NOT NULL DEFAULT '',
    "description" TEXT,
    "size_bytes" INTEGER NOT NULL DEFAULT 0,
    "sha256" TEXT,
    "type" TEXT,
    "kind" TEXT,
    "blob_key" TEXT,
    "token_id" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "engine" TEXT,
    "signature" TEXT,
    "scanned_at" TIMESTAMPTZ(3),

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generations" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "type" TEXT,
    "model_asked" TEXT,
    "model_used" TEXT,
    "engine" TEXT,
    "tokens_used" INTEGER,
    "outcome" TEXT NOT NULL DEFAULT 'running',
    "error_code" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "token_id" TEXT NOT NULL,
    "prompt" TEXT,
    "result" TEXT,

    CONSTRAINT "generations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE INDEX "files_list_idx" ON "files"("project_id", "created_at" DESC, "id" DESC) WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_list_by_folder_idx" ON "files"("project_id", "folder", "created_at" DESC, "id" DESC) WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_list_by_kind_idx" ON "files"("project_id", "kind", "created_at" DESC, "id" DESC) WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_list_by_type_idx" ON "files"("project_id", "type", "created_at" DESC, "id" DESC) WHERE (state = 'ready');

-- CreateIndex
CREATE INDEX "files_in_flight_idx" ON "files"("lease_expires_at") WHERE (state = ANY (ARRAY['pending'::text, 'scanning'::text]));

-- CreateIndex
CREATE INDEX "files_doomed_blob_idx" ON "files"("created_at") WHERE (state = ANY (ARRAY['deleting'::text, 'abandoned'::text, 'quarantined'::text])) AND (blob_key IS NOT NULL);

-- CreateIndex
CREATE INDEX "generations_running_idx" ON "generations"("started_at") WHERE (outcome = 'running');
