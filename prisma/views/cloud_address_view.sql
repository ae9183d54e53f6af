CREATE VIEW "cloud_address_view" AS
SELECT
  a.id, a.organization_id AS "organizationId", a.cluster_id AS "clusterId", c.name AS "clusterName",
  host(a.address) AS address, l.id AS "loadBalancerId", l.name AS "loadBalancerName", r.settings ->> 'method' AS method,
  a.state, a.reason, n.id AS "nodeId", n.name AS "nodeName", a.interface_id AS "interfaceId", a.since, a.observed_at AS "observedAt"
FROM cloud_address a
JOIN cluster c ON c.id = a.cluster_id
JOIN cloud_route r ON r.cluster_id = a.cluster_id
LEFT JOIN load_balancer l ON l.id = a.load_balancer_id AND l.organization_id = a.organization_id
LEFT JOIN agent g ON g.id = a.agent_id
LEFT JOIN node n ON n.id = g.node_id;
