-- Balancers that our own agents carry: where each replica is placed, what backends it should have, and what it says of them.
CREATE TABLE "instance" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workload" TEXT NOT NULL,
    "node_name" TEXT NOT NULL,
    "address" INET NOT NULL,
    "ready" BOOLEAN NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "source" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "instance_cluster_id_name_key" ON "instance"("cluster_id", "name");
CREATE INDEX "instance_organization_id_name_id_idx" ON "instance"("organization_id", "name", "id");
ALTER TABLE "instance" ADD CONSTRAINT "instance_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "cluster"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "balancer_status" (
    "agent_id" TEXT NOT NULL,
    "engine" TEXT NOT NULL DEFAULT '',
    "engine_reason" TEXT NOT NULL DEFAULT '',
    "refused" JSONB NOT NULL DEFAULT '[]',
    "address" TEXT NOT NULL DEFAULT '',
    "flow_address" TEXT NOT NULL DEFAULT '',
    "load_balancer_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "balancer_status_pkey" PRIMARY KEY ("agent_id")
);
ALTER TABLE "balancer_status" ADD CONSTRAINT "balancer_status_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "node_config" ADD COLUMN "load_balancer_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];

ALTER TABLE "replica" ADD COLUMN "agent_id" TEXT;
CREATE INDEX "replica_agent_id_idx" ON "replica"("agent_id");
ALTER TABLE "replica" ADD CONSTRAINT "replica_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "backend" ADD COLUMN "state_since" TIMESTAMPTZ(3);

CREATE TABLE "backend_status" (
    "backend_id" TEXT NOT NULL,
    "replica_id" TEXT NOT NULL,
    "health" TEXT NOT NULL,
    "message" TEXT NOT NULL DEFAULT '',
    "since" TIMESTAMPTZ(3),
    "live_connections" BIGINT NOT NULL DEFAULT 0,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "backend_status_pkey" PRIMARY KEY ("backend_id","replica_id")
);
CREATE INDEX "backend_status_replica_id_idx" ON "backend_status"("replica_id");
ALTER TABLE "backend_status" ADD CONSTRAINT "backend_status_backend_id_fkey" FOREIGN KEY ("backend_id") REFERENCES "backend"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "backend_status" ADD CONSTRAINT "backend_status_replica_id_fkey" FOREIGN KEY ("replica_id") REFERENCES "replica"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An instance is as old as what its source said last.
CREATE VIEW "instance_view" AS
SELECT
  i.id, i.organization_id AS "organizationId", i.cluster_id AS "clusterId", i.name, i.workload, i.node_name AS "nodeName",
  host(i.address) AS address, i.ready, i.labels, i.changed_at AS "changedAt",
  greatest(i.changed_at, s.last_report_at) AS "observedAt"
FROM instance i
LEFT JOIN node_status s ON s.agent_id = i.source;
