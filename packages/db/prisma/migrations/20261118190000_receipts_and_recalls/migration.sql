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
