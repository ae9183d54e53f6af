ALTER TABLE "agent_question" RENAME COLUMN "asked" TO "request";
ALTER TABLE "inventory_item" RENAME COLUMN "wanted" TO "desired";

-- A key whose scopes contain an unknown permission can't be listed.
UPDATE "api_key" SET "scopes" =
  array_replace(array_replace("scopes", 'pool:read', 'address-pool:read'), 'pool:write', 'address-pool:write');
