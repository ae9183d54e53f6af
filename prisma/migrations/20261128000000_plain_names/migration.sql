-- A key whose scopes contain an unknown permission can't be listed.
UPDATE "api_key" SET "scopes" =
  array_replace(array_replace("scopes", 'pool:read', 'address-pool:read'), 'pool:write', 'address-pool:write');
