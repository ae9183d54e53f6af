ALTER TABLE "member" ADD COLUMN "denied" TEXT[] DEFAULT ARRAY[]::TEXT[];
-- Until now, exposure:read included the address maps: keys that read them must not lose access.
UPDATE "api_key" SET "scopes" = array_append("scopes", 'map:read')
WHERE 'exposure:read' = ANY("scopes") AND NOT 'map:read' = ANY("scopes");
