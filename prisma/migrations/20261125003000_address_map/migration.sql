-- Who an instance is and where it runs, and since when it stands as it does: what a client of the map is told.
ALTER TABLE "address_mapping" ADD COLUMN "pod" TEXT, ADD COLUMN "node" TEXT, ADD COLUMN "since" TIMESTAMPTZ(3);
UPDATE "address_mapping" SET "since" = "observed_at";
ALTER TABLE "address_mapping" ALTER COLUMN "since" SET NOT NULL;
CREATE INDEX "address_mapping_organization_id_instance_id_idx" ON "address_mapping"("organization_id", "instance" COLLATE "C", "id");
CREATE INDEX "address_mapping_organization_id_internal_address_idx" ON "address_mapping"("organization_id", "internal_address");
CREATE INDEX "address_mapping_organization_id_external_address_idx" ON "address_mapping"("organization_id", "external_address");

-- Of the whole map, so that a mapping that goes counts too.
ALTER TABLE "exposure_status" ADD COLUMN "map_generation" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "map_changed_at" TIMESTAMPTZ(3);
UPDATE "exposure_status" s SET "map_generation" = m.generation, "map_changed_at" = m.at
FROM (SELECT "exposure_id", max("generation") AS generation, max("observed_at") AS at FROM "address_mapping" GROUP BY 1) m
WHERE m."exposure_id" = s."exposure_id";

CREATE TABLE "address_mapping_change" (
  "id" TEXT NOT NULL,
  "organization_id" TEXT NOT NULL,
  "exposure_id" TEXT NOT NULL,
  "instance" TEXT NOT NULL,
  "what" TEXT NOT NULL,
  "before" JSONB,
  "after" JSONB,
  "generation" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "address_mapping_change_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "address_mapping_change_exposure_id_fkey" FOREIGN KEY ("exposure_id") REFERENCES "exposure"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "address_mapping_change_exposure_id_at_id_idx" ON "address_mapping_change"("exposure_id", "at", "id");
CREATE INDEX "address_mapping_change_organization_id_at_id_idx" ON "address_mapping_change"("organization_id", "at", "id");

-- What lists show. LEFT JOIN, so that the planner leaves out what isn't asked for.
CREATE VIEW "address_mapping_view" AS
SELECT
  m.id, m.organization_id AS "organizationId", m.exposure_id AS "exposureId", e.name AS "exposureName",
  e.cluster_id AS "clusterId", c.name AS "clusterName", m.load_balancer_id AS "loadBalancerId",
  m.instance, m.pod, m.node, m.protocol,
  host(m.internal_address) AS "internalAddress", m.internal_port AS "internalPort", m.internal_address AS "internal",
  nullif(m.external_address, '') AS "externalAddress", m.external_port AS "externalPort",
  m.ready, m.since, m.generation, m.observed_at AS "observedAt"
FROM address_mapping m
LEFT JOIN exposure e ON e.id = m.exposure_id
LEFT JOIN cluster c ON c.id = e.cluster_id;

CREATE VIEW "address_mapping_change_view" AS
SELECT
  h.id, h.organization_id AS "organizationId", h.exposure_id AS "exposureId", e.name AS "exposureName",
  h.instance, h.what, h.before, h.after, h.generation, h.at
FROM address_mapping_change h
LEFT JOIN exposure e ON e.id = h.exposure_id;
