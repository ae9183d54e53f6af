-- What is in a Kubernetes cluster, as whoever watches it saw it last: nodes, workloads, and other people's Services.
CREATE TABLE "inventory_item" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "organization_id" TEXT NOT NULL,
  "cluster_id" TEXT NOT NULL REFERENCES "kubernetes_access" ("cluster_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "kind" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "wanted" INTEGER NOT NULL,
  "ready" INTEGER NOT NULL,
  "addresses" TEXT[] NOT NULL,
  "changed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "inventory_item_cluster_id_kind_namespace_name_key"
  ON "inventory_item" ("cluster_id", "kind", "namespace", "name");

CREATE VIEW "inventory_item_view" AS
SELECT
  id, organization_id AS "organizationId", cluster_id AS "clusterId", kind, namespace, name, wanted, ready, addresses,
  changed_at AS "changedAt"
FROM inventory_item;
