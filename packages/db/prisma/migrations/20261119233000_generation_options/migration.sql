-- What else a request asked for, so that it can be sent again. Null for older records.
-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "options" TEXT;
