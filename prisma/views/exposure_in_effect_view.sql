-- Exposures as they are in effect: of a paused one, that is the spec from before, while the newest may be edited.
CREATE VIEW "exposure_in_effect_view" AS
SELECT
  id, organization_id, cluster_id, name, labels, map_access, generation, paused_at, deleted_at,
  coalesce(paused_spec ->> 'name', name) AS name_in_effect,
  coalesce(paused_spec -> 'workload', workload) AS workload, coalesce(paused_spec -> 'ports', ports) AS ports,
  coalesce(paused_spec -> 'placements', placements) AS placements,
  coalesce(paused_spec ->> 'strategy', strategy) AS strategy, coalesce(paused_spec -> 'parameters', parameters) AS parameters,
  CASE WHEN paused_spec IS NULL THEN health_check ELSE nullif(paused_spec -> 'health_check', 'null') END AS health_check
FROM exposure;
