-- CreateTable
CREATE TABLE "idempotency_keys" (
    "token_id" TEXT NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "route" TEXT NOT NULL,
    "fingerprint" TEXT,
    "attempt_id" TEXT NOT NULL,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "replayed" BOOLEAN NOT NULL DEFAULT false,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("token_id","key")
);

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_idx" ON "idempotency_keys"("expires_at");
