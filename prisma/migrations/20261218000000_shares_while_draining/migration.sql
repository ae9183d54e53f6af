-- The share of a load balancer of an exposure that spans clusters: it keeps it while it drains.
ALTER TABLE "load_balancer" ADD COLUMN "share" INTEGER;
UPDATE "load_balancer" l SET "share" = (p ->> 'share')::int
FROM "exposure" e, jsonb_array_elements(e."placements") AS p
WHERE e."id" = l."exposure_id" AND p ->> 'clusterId' = l."cluster_id" AND l."deleted_at" IS NULL;
