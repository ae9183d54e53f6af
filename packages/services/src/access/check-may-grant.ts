import { DomainError } from "@fairlead/domain";
import { mayGrant, type Role } from "@fairlead/domain/access";
import type { ServiceContext } from "../context.ts";

/** checkMayGrant refuses to grant, or to change, a role with more permissions than the actor has. */
export function checkMayGrant(ctx: ServiceContext, role: Role, path?: string[]): void {
  if (mayGrant(ctx.actor, role)) return;
  const message = `The role ${role} has more permissions than you, so you can't grant or change it.`;
  throw new DomainError("forbidden", message, path ? { fields: [{ path, message }] } : {});
}
