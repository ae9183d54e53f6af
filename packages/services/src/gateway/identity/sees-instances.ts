import type { AgentIdentity } from "./identities.sql.ts";

/** Reported instances decide where traffic goes, so only these roles may report them. */
const seeingRoles: ReadonlySet<string> = new Set(["lab"]);

/** seesInstances reports whether an agent with these roles may report its cluster's instances. */
export function seesInstances({ roles }: Pick<AgentIdentity, "roles">): boolean {
  return roles.some((role) => seeingRoles.has(role));
}
