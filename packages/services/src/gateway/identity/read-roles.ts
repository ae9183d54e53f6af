import { invalid } from "@fairlead/domain";

/** readRoles takes the roles that an agent says it runs as, in one order. An agent that says none is a node's. */
export function readRoles(roles: readonly string[]): string[] {
  const known = [...new Set(roles)].sort();
  if (known.length > 16 || known.some((role) => !/^[a-z][a-z-]{0,31}$/.test(role)))
    throw invalid(["info", "roles"], "A role is a word of small letters, and an agent has 16 of them at most.");
  return known.length > 0 ? known : ["node"];
}
