ALTER TABLE "series" ADD COLUMN "agent_id" TEXT, ADD COLUMN "ended_at" TIMESTAMPTZ(3);

-- Labels are canonical JSON, in which quotes inside a value are escaped: only a label can match.
UPDATE "series" SET "agent_id" = substring("labels" FROM '[{,]"agent":"([^"\\]+)"') WHERE "labels" LIKE '%"agent":"%';
UPDATE "series" s SET "ended_at" = now() + interval '5 minutes'
WHERE s."agent_id" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "agent" a WHERE a."id" = s."agent_id" AND a."revoked_at" IS NULL);
CREATE INDEX "series_agent_id_ended_at_idx" ON "series"("agent_id", "ended_at");

-- The series of an agent end when it is deleted or revoked. Its clock may be up to five minutes ahead.
CREATE FUNCTION end_series_of_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.revoked_at IS NULL OR OLD.revoked_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  UPDATE series SET ended_at = now() + interval '5 minutes' WHERE agent_id = OLD.id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_series_of_agent AFTER DELETE OR UPDATE OF "revoked_at" ON "agent"
  FOR EACH ROW EXECUTE FUNCTION end_series_of_agent();
