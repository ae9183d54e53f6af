CREATE TABLE "resource_metrics" (
  "exposure_id" TEXT NOT NULL PRIMARY KEY REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "problem" TEXT NOT NULL DEFAULT '',
  "nodes" JSONB NOT NULL DEFAULT '[]',
  "read_at" TIMESTAMPTZ(3) NOT NULL
);
