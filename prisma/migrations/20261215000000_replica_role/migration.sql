-- With the strategy adaptive, a load balancer has replicas of two roles: on each node with an agent of the role adaptive, and
-- balancers for clients outside. Each role numbers its own.
ALTER TABLE "replica" ADD COLUMN "role" TEXT NOT NULL DEFAULT 'balancer';
UPDATE "replica" r SET "role" = 'adaptive' FROM "load_balancer" l JOIN "exposure" e ON e.id = l.exposure_id
WHERE l.id = r.load_balancer_id AND e.strategy = 'adaptive';
DROP INDEX "replica_load_balancer_id_ordinal_key";
CREATE UNIQUE INDEX "replica_load_balancer_id_role_ordinal_key" ON "replica"("load_balancer_id", "role", "ordinal");
