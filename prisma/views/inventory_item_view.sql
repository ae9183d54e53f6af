CREATE VIEW "inventory_item_view" AS
SELECT
  id, organization_id AS "organizationId", cluster_id AS "clusterId", kind, namespace, name, desired, ready, addresses,
  changed_at AS "changedAt"
FROM inventory_item;
