import type { Permission } from "@fairlead/domain/access";

/** A picture shows parts of all of these. */
export const flowPermissions = [
  "cluster:read",
  "node:read",
  "exposure:read",
  "series:read",
] as const satisfies readonly Permission[];
