-- Up to when what broke is added up, so that each look reads only what came since.
ALTER TABLE "experiment" ADD COLUMN "broken_counted_at" TIMESTAMPTZ(3);
