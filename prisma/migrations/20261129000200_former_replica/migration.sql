CREATE TABLE "former_replica" (
  "agent_id" TEXT NOT NULL,
  "load_balancer_id" TEXT NOT NULL,
  "ended_at" TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY ("agent_id", "load_balancer_id")
);
CREATE INDEX "former_replica_ended_at_idx" ON "former_replica"("ended_at");

-- Agents that carried a balancer before may still have reports about it.
INSERT INTO "former_replica" ("agent_id", "load_balancer_id", "ended_at")
SELECT DISTINCT s."agent_id", l."id", now()
FROM "series" s LEFT JOIN "backend" b ON b."id" = s."subject_id"
  JOIN "load_balancer" l ON l."id" = coalesce(b."load_balancer_id", s."subject_id")
WHERE s."agent_id" IS NOT NULL AND s."ended_at" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "replica" r WHERE r."agent_id" = s."agent_id" AND r."load_balancer_id" = l."id");

-- A replica that leaves an agent leaves a record. If it returns, its series continue.
CREATE FUNCTION keep_former_replica() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.agent_id IS NOT DISTINCT FROM NEW.agent_id THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.agent_id IS NOT NULL THEN
    INSERT INTO former_replica (agent_id, load_balancer_id, ended_at) VALUES (OLD.agent_id, OLD.load_balancer_id, now())
    ON CONFLICT (agent_id, load_balancer_id) DO UPDATE SET ended_at = excluded.ended_at;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.agent_id IS NOT NULL THEN
    -- A sweep that is just ending these series has locked the record: wait for it, or it would end them after this.
    DELETE FROM former_replica WHERE agent_id = NEW.agent_id AND load_balancer_id = NEW.load_balancer_id;
    -- As an array, so that the index on subjects is used: an agent may have very many series.
    UPDATE series SET ended_at = NULL
    WHERE agent_id = NEW.agent_id AND ended_at IS NOT NULL AND subject_id = ANY (ARRAY(
      SELECT NEW.load_balancer_id UNION ALL SELECT id FROM backend WHERE load_balancer_id = NEW.load_balancer_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_former_replica AFTER INSERT OR DELETE OR UPDATE OF "agent_id" ON "replica"
  FOR EACH ROW EXECUTE FUNCTION keep_former_replica();
