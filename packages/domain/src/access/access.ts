export const roles = ["owner", "operator", "viewer"] as const;
export type Role = (typeof roles)[number];

/** Everything that may be asked of the services, as noun:verb. A key's scopes are some of these. */
export const permissions = [
  "cluster:read",
  "cluster:write",
  "node:read",
  "node:write",
  "exposure:read",
  "exposure:write",
  "pool:read",
  "pool:write",
  "event:read",
  "series:read",
  "audit:read",
  "member:read",
  "member:write",
  "key:read",
  "key:write",
  "price-book:read",
  "price-book:write",
  "identity-provider:read",
  "identity-provider:write",
  "price:read",
  "price:write",
  "usage:write",
] as const;
export type Permission = (typeof permissions)[number];

const viewerMay: Permission[] = [
  "cluster:read",
  "node:read",
  "exposure:read",
  "pool:read",
  "event:read",
  "series:read",
  "member:read",
  "price:read",
  "price-book:read",
];
const operatorMay: Permission[] = [
  ...viewerMay,
  "cluster:write",
  "node:write",
  "exposure:write",
  "pool:write",
  "audit:read",
  "key:read",
  "usage:write",
];

const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  operator: new Set(operatorMay),
  viewer: new Set(viewerMay),
};

/** Who is asking. Agents and the reconciler act as themselves, so that the audit tells them from people. */
export type Actor =
  | { kind: "user"; id: string; name: string; role: Role; sessionId?: string }
  | { kind: "api-key"; id: string; name: string; role: Role; scopes: Permission[] }
  | { kind: "agent"; id: string; name: string }
  | { kind: "system"; id: string; name: string };

/** permissionsOf a role, in the order of the catalogue. */
export function permissionsOf(role: Role): Permission[] {
  return permissions.filter((permission) => rolePermissions[role].has(permission));
}

/** may says whether an actor holds a permission. A key never exceeds the role it was made with. */
export function may(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case "user":
      return rolePermissions[actor.role].has(permission);
    case "api-key":
      return rolePermissions[actor.role].has(permission) && actor.scopes.includes(permission);
    case "system":
      return true;
    case "agent":
      return false;
    default:
      return actor satisfies never;
  }
}

/** mayGrant says whether an actor may hand a role to somebody: only one that can do nothing the actor can't. */
export function mayGrant(actor: Actor, role: Role): boolean {
  return permissionsOf(role).every((permission) => may(actor, permission));
}
