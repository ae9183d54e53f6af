import { DomainError } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../context.ts";

/**
 * authorizeInstallation refuses an actor who lacks a permission, and all members of organisations other than the first:
 * settings of the whole installation are managed by the organisation that set it up. what describes them in the error.
 */
export async function authorizeInstallation(ctx: ServiceContext, permission: Permission, what: string): Promise<void> {
  authorize(ctx, permission);
  const first = await findFirstOrganization(ctx.db);
  if (first !== ctx.organizationId) throw new DomainError("forbidden", what);
}

/** findFirstOrganization returns the organisation that set this installation up; null before there is one. */
export async function findFirstOrganization(db: Pick<ServiceContext["db"], "organization">): Promise<string | null> {
  const found = await db.organization.findFirst({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return found?.id ?? null;
}
