-- The properties of a load balancer that affect its price.
CREATE VIEW "usage_fact_view" AS
SELECT
  l.id AS load_balancer_id, l.organization_id, l.cluster_id, l.exposure_id,
  jsonb_build_object(
    'name', l.name, 'kind', l.kind, 'instance', l.instance, 'address', coalesce(host(a.address), s.address),
    'exposureName', e.name, 'clusterName', c.name, 'clusterRegion', c.region, 'runsAs', c.runs_as, 'labels', e.labels,
    'strategy', e.parameters || jsonb_build_object('type', e.strategy), 'ports', e.ports) AS facts
FROM load_balancer l
JOIN exposure_in_effect_view e ON e.id = l.exposure_id
JOIN cluster c ON c.id = l.cluster_id
LEFT JOIN virtual_address a ON a.load_balancer_id = l.id
LEFT JOIN load_balancer_status s ON s.load_balancer_id = l.id;
