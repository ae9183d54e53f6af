import { invalid } from "@fairlead/domain";

/** readRoles sorts the roles that an agent reports. An agent that reports none is a node's. */
export function readRoles(roles: readonly string[]): string[] {
  const known = [...new Set(roles)].sort();
  if (known.length > 16 || known.some((role) => !/^[a-z][a-z-]{0,31}$/.test(role)))
    throw invalid(["info", "roles"], "A role is a word of lower-case letters, and an agent has at most 16.");
  return known.length > 0 ? known : ["node"];
}
