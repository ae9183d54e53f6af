import { describe, expect, it } from "vitest";
import { type Actor, may, mayGrant, type Permission, permissions, permissionsOf, type Role, roles } from "./access.ts";

const viewing: Permission[] = [
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
const operating: Permission[] = [
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
const owning: Permission[] = [
  "agent:write",
  "member:write",
  "key:write",
  "identity-provider:read",
  "identity-provider:write",
  "price:write",
  "price-book:write",
  "budget:write",
];
const table: Record<Role, Permission[]> = {
  viewer: viewing,
  operator: [...viewing, ...operating],
  owner: [...viewing, ...operating, ...owning],
};
const user = (role: Role): Actor => ({ kind: "user", id: "u", name: "U", role });
const key = (role: Role, scopes: Permission[]): Actor => ({ kind: "api-key", id: "k", name: "K", role, scopes });

describe("permissions", () => {
  it("are decided for every permission", () => {
    expect([...table.owner].sort()).toEqual([...permissions].sort());
  });

  it.each(roles)("%s", (role) => {
    const held = permissions.filter((permission) => may(user(role), permission));
    expect(new Set(held)).toEqual(new Set(table[role]));
    expect(permissionsOf(role)).toEqual(held);
  });

  it.each(roles)("a key with the role %s has its scopes, limited to the role", (role) => {
    for (const permission of permissions) {
      expect(may(key(role, [permission]), permission)).toBe(table[role].includes(permission));
      expect(may(key(role, []), permission)).toBe(false);
    }
    const all = permissions.filter((permission) => may(key(role, [...permissions]), permission));
    expect(new Set(all)).toEqual(new Set(table[role]));
  });

  it.each(roles)("a denied one is missing, and no other: %s", (role) => {
    const denied: Actor = { kind: "user", id: "u", name: "U", role, denied: ["map:read"] };
    const held = permissions.filter((permission) => may(denied, permission));
    expect(new Set(held)).toEqual(new Set(table[role].filter((each) => each !== "map:read")));
    expect(mayGrant(denied, "viewer")).toBe(false);
  });

  it("are none for an agent, and all for the system", () => {
    for (const permission of permissions) {
      expect(may({ kind: "agent", id: "a", name: "A" }, permission)).toBe(false);
      expect(may({ kind: "system", id: "s", name: "S" }, permission)).toBe(true);
    }
  });
});
