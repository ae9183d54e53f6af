import type { Permission } from "@fairlead/domain/access";

/** A choice shows parts of all of these, but no addresses. */
export const choicePermissions = [
  "cluster:read",
  "node:read",
  "exposure:read",
  "address-pool:read",
  "series:read",
  "event:read",
  "price:read",
] as const satisfies readonly Permission[];
