import { DomainError, type Permission } from "@fairlead/domain";
import { authorize, type ServiceContext } from "../../context.ts";

/**
 * authorizePrices refuses whoever lacks a permission, and everybody of organisations other than the first: the prices are
 * those of all, so they are decided about by those who set Fairlead up.
 */
export async function authorizePrices(
  ctx: ServiceContext,
  permission: Extract<Permission, `price:${string}`>,
): Promise<void> {
  authorize(ctx, permission);
  const first = await findFirstOrganization(ctx.db);
  if (first === ctx.organizationId) return;
  throw new DomainError(
    "forbidden",
    "Prices are the same for all organisations here, so only people of the one that set Fairlead up see and decide how they change.",
  );
}

/** findFirstOrganization names the organisation that set this installation up; null before there is one. */
export async function findFirstOrganization(db: Pick<ServiceContext["db"], "organization">): Promise<string | null> {
  const found = await db.organization.findFirst({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return found?.id ?? null;
}
