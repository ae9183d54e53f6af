-- AlterTable
ALTER TABLE "exposure_status" ADD COLUMN     "applied_digest" TEXT NOT NULL DEFAULT '';
