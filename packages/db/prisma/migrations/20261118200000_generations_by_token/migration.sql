-- The history of a token, newest first. Writes to the table wait while it is made; the table holds RETENTION's days only.
-- CreateIndex
CREATE INDEX "generations_token_idx" ON "generations"("token_id", "started_at" DESC, "id" DESC);
