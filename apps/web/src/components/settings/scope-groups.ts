import { type Permission, permissionsOf, type Role } from "@fairlead/domain/access";

export type ScopeGroup = { noun: string; scopes: { permission: Permission; verb: string; allowed: boolean }[] };

const all = permissionsOf("owner");

/** scopeGroups groups all scopes by noun, and marks those that a role can have. */
export function scopeGroups(role: Role): ScopeGroup[] {
  const mine = permissionsOf(role);
  const byNoun = Map.groupBy(all, (permission) => permission.split(":")[0] ?? "");
  return [...byNoun].map(([noun, permissions]) => ({
    noun: noun.replaceAll("-", " "),
    scopes: permissions.map((permission) => ({
      permission,
      verb: permission.split(":")[1] ?? "",
      allowed: mine.includes(permission),
    })),
  }));
}

/** withinRole drops the scopes that a key of this role can't have. */
export function withinRole(scopes: Permission[], role: Role): Permission[] {
  const mine = permissionsOf(role);
  return scopes.filter((scope) => mine.includes(scope));
}

/** readScopes are the scopes of a read-only key. */
export function readScopes(role: Role): Permission[] {
  return permissionsOf(role).filter((permission) => permission.endsWith(":read"));
}
