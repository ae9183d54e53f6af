-- An instance is as old as the last report of its source.
CREATE VIEW "instance_view" AS
SELECT
  i.id, i.organization_id AS "organizationId", i.cluster_id AS "clusterId", i.name, i.workload, i.node_name AS "nodeName",
  host(i.addresses[1]) AS address, ARRAY(SELECT host(a) FROM unnest(i.addresses) WITH ORDINALITY AS u (a, n) ORDER BY n) AS addresses,
  i.ready, i.labels, i.changed_at AS "changedAt", greatest(i.changed_at, s.last_report_at) AS "observedAt", i.weight
FROM instance i
LEFT JOIN node_status s ON s.agent_id = i.source;
