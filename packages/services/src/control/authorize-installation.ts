import { DomainError } from "@fairlead/domain";
import type { Permission } from "@fairlead/domain/access";
import { authorize, type ServiceContext } from "../context.ts";

/**
 * authorizeInstallation refuses whoever lacks a permission, and everybody of organisations other than the first: what is
 * the same for all is decided about by those who set Fairlead up. what says of what that is so.
 */
export async function authorizeInstallation(ctx: ServiceContext, permission: Permission, what: string): Promise<void> {
  authorize(ctx, permission);
  const first = await findFirstOrganization(ctx.db);
  if (first !== ctx.organizationId) throw new DomainError("forbidden", what);
}

/** findFirstOrganization names the organisation that set this installation up; null before there is one. */
export async function findFirstOrganization(db: Pick<ServiceContext["db"], "organization">): Promise<string | null> {
  const found = await db.organization.findFirst({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return found?.id ?? null;
}
