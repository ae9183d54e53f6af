-- A paused exposure is only observed. The spec that is in effect meanwhile is kept, because the other one may be edited.
ALTER TABLE "exposure" ADD COLUMN "paused_at" TIMESTAMPTZ(3), ADD COLUMN "paused_spec" JSONB;
