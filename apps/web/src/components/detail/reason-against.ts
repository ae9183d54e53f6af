import { type Permission, permissionsOf, type Role, roles } from "@fairlead/domain";

const verbs: Partial<Record<Permission, string>> = {
  "cluster:write": "change clusters",
  "node:write": "change nodes and agents",
  "exposure:write": "change exposures",
  "pool:write": "change address pools",
  "member:write": "change members and invitations",
  "key:read": "see API keys",
  "key:write": "make and revoke API keys",
  "price-book:write": "change the price book",
  "identity-provider:read": "see identity providers",
  "identity-provider:write": "change identity providers",
  "price:write": "decide about prices",
  "usage:write": "have usage metered anew",
  "audit:read": "read the audit",
};

/** reasonAgainst says why somebody may not do a thing, and whom to ask. */
export function reasonAgainst(permission: Permission, role: Role): string {
  const able = roles.filter((each) => permissionsOf(each).includes(permission)).reverse();
  const whom = able.map((each) => `an ${each}`).join(" or ");
  return `As ${role} you can't ${verbs[permission] ?? `do this (${permission})`}. Ask ${whom}.`;
}
