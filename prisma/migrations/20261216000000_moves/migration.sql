CREATE TABLE "move" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "from_cluster_id" TEXT NOT NULL,
  "from_cluster_name" TEXT NOT NULL,
  "to_cluster_id" TEXT NOT NULL,
  "to_cluster_name" TEXT NOT NULL,
  "workload" JSONB,
  "steps" INTEGER[],
  "watch_seconds" INTEGER NOT NULL,
  "gates" JSONB NOT NULL,
  "before" JSONB NOT NULL,
  "state" TEXT NOT NULL,
  "reason" TEXT NOT NULL DEFAULT '',
  "step" INTEGER NOT NULL DEFAULT 0,
  "share" INTEGER NOT NULL DEFAULT 0,
  "step_at" TIMESTAMPTZ(3),
  "serving_since" TIMESTAMPTZ(3),
  "figures" JSONB NOT NULL DEFAULT '[]',
  "judged_at" TIMESTAMPTZ(3),
  "started_by" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3)
);
-- Two at once would overwrite each other's placements.
CREATE UNIQUE INDEX "move_one_running" ON "move"("exposure_id") WHERE "ended_at" IS NULL;
CREATE INDEX "move_organization_id_started_at_idx" ON "move"("organization_id", "started_at");
CREATE INDEX "move_exposure_id_started_at_idx" ON "move"("exposure_id", "started_at");

CREATE TABLE "move_step" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "move_id" TEXT NOT NULL REFERENCES "move"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "share" INTEGER NOT NULL,
  "state" TEXT NOT NULL,
  "message" TEXT NOT NULL
);
CREATE INDEX "move_step_move_id_at_idx" ON "move_step"("move_id", "at");
