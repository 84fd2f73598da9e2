-- The history of a token, newest first. Writes to the table wait while it is made; it holds the records of
-- GENERATION_RETENTION_DAYS days.
-- CreateIndex
CREATE INDEX "generations_token_idx" ON "generations"("token_id", "started_at" DESC, "id" DESC);
