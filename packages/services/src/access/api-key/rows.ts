import type { ApiKey } from "@fairlead/domain";

export const apiKeySource = {
  from: "api_key_view",
  columns: [
    "id",
    "name",
    "start",
    "role",
    "scopes",
    "requestsPerMinute",
    "state",
    "createdBy",
    "createdAt",
    "lastUsedAt",
    "expiresAt",
    "revokedAt",
  ] as const satisfies readonly (keyof ApiKey)[],
};
