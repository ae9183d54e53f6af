import { type Permission, permissionsOf, type Role, roles } from "@fairlead/domain/access";

const verbs: Record<Permission, string> = {
  "cluster:read": "view clusters",
  "cluster:write": "change clusters",
  "node:read": "view nodes and agents",
  "node:write": "change nodes and agents",
  "agent:write": "change the roles of agents",
  "exposure:read": "view exposures",
  "exposure:write": "change exposures",
  "map:read": "read address maps",
  "address-pool:read": "view address pools",
  "address-pool:write": "change address pools",
  "event:read": "view events",
  "series:read": "view metrics",
  "audit:read": "view the audit log",
  "member:read": "view members and invitations",
  "member:write": "change members and invitations",
  "key:read": "view API keys",
  "key:write": "create and revoke API keys",
  "price-book:read": "view the price book",
  "price-book:write": "change the price book",
  "budget:read": "view budgets",
  "budget:write": "change budgets",
  "identity-provider:read": "view identity providers",
  "identity-provider:write": "change identity providers",
  "price:read": "view prices",
  "price:write": "resolve held prices",
  "usage:write": "recalculate usage",
};

/** explainDenied returns why a user lacks a permission, and which roles have it: their own too if an owner took it away. */
export function explainDenied(permission: Permission, role: Role): string {
  if (permissionsOf(role).includes(permission)) return `You may not ${verbs[permission]}. Ask an owner.`;
  const able = roles.filter((each) => permissionsOf(each).includes(permission)).reverse();
  const whom = able.map((each) => `an ${each}`).join(" or ");
  return `As ${role} you can't ${verbs[permission]}. Ask ${whom}.`;
}
