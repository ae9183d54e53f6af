-- The strategy adaptive: each node with an agent of that role has a replica, so its number isn't a part of the spec.
UPDATE exposure SET parameters = parameters - 'replicas', paused_spec = paused_spec #- '{parameters,replicas}'
WHERE strategy = 'adaptive';

ALTER TABLE "backend" ADD COLUMN "node_name" TEXT NOT NULL DEFAULT '';

CREATE TABLE "adaptive_status" (
  "agent_id" TEXT NOT NULL PRIMARY KEY REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "problem" TEXT NOT NULL DEFAULT '',
  "mesh_address" TEXT NOT NULL DEFAULT '',
  "cores" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "throttled_ratio" DOUBLE PRECISION NOT NULL DEFAULT 0,
  "peers" JSONB NOT NULL DEFAULT '[]',
  "load_balancer_ids" TEXT[] DEFAULT ARRAY[]::text[],
  "addresses" TEXT[] DEFAULT ARRAY[]::text[],
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "adaptive_replica" (
  "replica_id" TEXT NOT NULL PRIMARY KEY REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "services" JSONB NOT NULL DEFAULT '[]',
  "observed_at" TIMESTAMPTZ(3) NOT NULL
);

CREATE TABLE "adaptive_decision" (
  "replica_id" TEXT NOT NULL REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "backend_id" TEXT NOT NULL,
  "node_id" TEXT NOT NULL,
  "by_weight" BOOLEAN NOT NULL,
  "candidates" JSONB NOT NULL,
  PRIMARY KEY ("replica_id", "at", "backend_id")
);
