CREATE VIEW "address_mapping_change_view" AS
SELECT
  h.id, h.organization_id AS "organizationId", h.exposure_id AS "exposureId", e.name AS "exposureName",
  h.instance, h.what, h.before, h.after, h.generation, h.at
FROM address_mapping_change h
LEFT JOIN exposure e ON e.id = h.exposure_id;
