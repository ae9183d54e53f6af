import type { AgentIdentity } from "./identities.sql.ts";

/** Whoever says where instances are says where traffic goes, so these roles alone are believed. */
const seeingRoles: ReadonlySet<string> = new Set(["lab"]);

/** seesInstances says whether an agent that runs as these roles may tell of its cluster's instances. */
export function seesInstances({ roles }: Pick<AgentIdentity, "roles">): boolean {
  return roles.some((role) => seeingRoles.has(role));
}
