-- LEFT JOIN: the planner drops a join whose columns a query doesn't read, as in a count.
CREATE VIEW "address_mapping_view" AS
SELECT
  m.id, m.organization_id AS "organizationId", m.exposure_id AS "exposureId", e.name AS "exposureName",
  e.cluster_id AS "clusterId", c.name AS "clusterName", m.load_balancer_id AS "loadBalancerId",
  m.instance, m.pod, m.node, m.protocol,
  host(m.internal_address) AS "internalAddress", m.internal_port AS "internalPort", m.internal_address AS "internal",
  nullif(m.external_address, '') AS "externalAddress", m.external_port AS "externalPort",
  m.ready, m.since, m.generation, m.observed_at AS "observedAt", m.server_name AS "serverName"
FROM address_mapping m
LEFT JOIN exposure e ON e.id = m.exposure_id
LEFT JOIN cluster c ON c.id = e.cluster_id;
