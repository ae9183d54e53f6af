import { type Permission, permissionsOf, type Role, roles } from "@fairlead/domain/access";

const verbs: Partial<Record<Permission, string>> = {
  "cluster:write": "change clusters",
  "node:write": "change nodes and agents",
  "agent:write": "change the roles of agents",
  "exposure:write": "change exposures",
  "address-pool:write": "change address pools",
  "member:write": "change members and invitations",
  "key:read": "view API keys",
  "key:write": "create and revoke API keys",
  "price-book:write": "change the price book",
  "identity-provider:read": "view identity providers",
  "identity-provider:write": "change identity providers",
  "price:write": "resolve held prices",
  "usage:write": "recalculate usage",
  "audit:read": "view the audit log",
};

/** explainDenied returns why a user lacks a permission, and which roles have it. */
export function explainDenied(permission: Permission, role: Role): string {
  const able = roles.filter((each) => permissionsOf(each).includes(permission)).reverse();
  const whom = able.map((each) => `an ${each}`).join(" or ");
  return `As ${role} you can't ${verbs[permission] ?? `do this (${permission})`}. Ask ${whom}.`;
}
