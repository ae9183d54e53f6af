-- From when on a load balancer was there, as far as its usage goes: it had an address, or replicas.
ALTER TABLE "usage_subject" ADD COLUMN "served_since" TIMESTAMPTZ(3);
UPDATE "usage_subject" s SET "served_since" = l."created_at" FROM "load_balancer" l
WHERE l.id = s."load_balancer_id" AND EXISTS (SELECT 1 FROM "usage_hour" h WHERE h."subject_id" = s.id);
