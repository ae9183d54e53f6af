-- Who may read an exposure's address map: everybody of the organisation, or certain keys, and from where.
ALTER TABLE "exposure" ADD COLUMN "map_access" JSONB NOT NULL DEFAULT '{"keys": [], "mode": "organization", "networks": []}';

-- Who did, by the hour: a row for each read would be many, and say no more.
CREATE TABLE "map_read" (
  "exposure_id" TEXT NOT NULL,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "actor_kind" TEXT NOT NULL,
  "actor_id" TEXT NOT NULL,
  "actor_name" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "format" TEXT NOT NULL,
  "count" INTEGER NOT NULL,
  "first_at" TIMESTAMPTZ(3) NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "map_read_pkey" PRIMARY KEY ("exposure_id", "hour", "actor_kind", "actor_id", "address", "format"),
  CONSTRAINT "map_read_exposure_id_fkey" FOREIGN KEY ("exposure_id") REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "map_read_hour_idx" ON "map_read"("hour");
