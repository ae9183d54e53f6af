-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "key_digest" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "node_status" ADD COLUMN     "previous_boot_id" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "warnings" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "rollup_task" ADD COLUMN     "series_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- Samples arrive almost in order of time, so a few bytes per 32 pages find a minute among an hour of all series.
CREATE INDEX "sample_at_idx" ON "sample" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX "sample_minute_at_idx" ON "sample_minute" USING BRIN ("at") WITH (pages_per_range = 32, autosummarize = on);

-- Every agent updates its row every few seconds: room on the page keeps those updates inside it and out of the indexes.
ALTER TABLE "node_status" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
