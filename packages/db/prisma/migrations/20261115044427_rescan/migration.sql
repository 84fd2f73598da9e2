-- CreateTable
CREATE TABLE "scanner_versions" (
    "engine" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scanner_versions_pkey" PRIMARY KEY ("engine")
);

-- CreateIndex
CREATE INDEX "files_rescan_idx" ON "files"("engine", "scanned_at", "id") WHERE (state = 'ready');
