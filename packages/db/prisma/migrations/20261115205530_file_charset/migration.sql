-- AlterTable
ALTER TABLE "files" ADD COLUMN     "charset" TEXT;
