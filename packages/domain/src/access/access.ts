export const roles = ["owner", "operator", "viewer"] as const;
export type Role = (typeof roles)[number];

/** All permissions, as noun:verb. An API key's scopes are a subset. */
export const permissions = [
  "cluster:read",
  "cluster:write",
  "node:read",
  "node:write",
  "agent:write",
  "exposure:read",
  "exposure:write",
  "map:read",
  "address-pool:read",
  "address-pool:write",
  "event:read",
  "series:read",
  "audit:read",
  "member:read",
  "member:write",
  "key:read",
  "key:write",
  "price-book:read",
  "price-book:write",
  "budget:read",
  "budget:write",
  "identity-provider:read",
  "identity-provider:write",
  "price:read",
  "price:write",
  "usage:write",
] as const;
export type Permission = (typeof permissions)[number];

/** The permissions that an owner can deny a single member, though the member's role has them. */
export const deniablePermissions = ["map:read"] as const satisfies readonly Permission[];
export type DeniablePermission = (typeof deniablePermissions)[number];

const viewerMay: Permission[] = [
  "cluster:read",
  "node:read",
  "exposure:read",
  "map:read",
  "address-pool:read",
  "event:read",
  "series:read",
  "member:read",
  "price:read",
];
const operatorMay: Permission[] = [
  ...viewerMay,
  "price-book:read",
  "budget:read",
  "cluster:write",
  "node:write",
  "exposure:write",
  "address-pool:write",
  "audit:read",
  "key:read",
  "usage:write",
];

const rolePermissions: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(permissions),
  operator: new Set(operatorMay),
  viewer: new Set(viewerMay),
};

/** Who makes a request. Agents and the reconciler are actors of their own, so the audit log distinguishes them from users. */
export type Actor =
  | {
      kind: "user";
      id: string;
      name: string;
      role: Role;
      /** Permissions of the role that the member doesn't have; absent for none. */
      denied?: readonly DeniablePermission[];
      sessionId?: string;
    }
  | { kind: "api-key"; id: string; name: string; role: Role; scopes: Permission[] }
  | { kind: "agent"; id: string; name: string }
  | { kind: "system"; id: string; name: string };

/** permissionsOf returns a role's permissions, in the order of the list. */
export function permissionsOf(role: Role): Permission[] {
  return permissions.filter((permission) => rolePermissions[role].has(permission));
}

/** may reports whether an actor has a permission. An API key never exceeds the role it was created with. */
export function may(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case "user":
      return rolePermissions[actor.role].has(permission) && !actor.denied?.some((each) => each === permission);
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

/** mayGrant reports whether an actor may grant a role: only if the actor has all of its permissions. */
export function mayGrant(actor: Actor, role: Role): boolean {
  return permissionsOf(role).every((permission) => may(actor, permission));
}
