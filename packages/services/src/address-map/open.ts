import { DomainError, notFound } from "@fairlead/domain";
import { findMapRefusal } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";
import { type MapHead, selectMapHeads } from "./head.sql.ts";
import { takeMapRead } from "./take-read.ts";

/** openMap finds an exposure's map for somebody who may read it. What it holds is read by whoever keeps it. */
export async function openMap(ctx: ServiceContext, id: string, path?: string[]): Promise<MapHead> {
  authorize(ctx, "exposure:read");
  await takeMapRead(ctx);
  const [head] = await selectMapHeads(ctx.db, [id]);
  if (!head || head.organizationId !== ctx.organizationId) throw notFound("exposure", id, path);
  checkMapAccess(ctx, head);
  return head;
}

/** checkMapAccess is for who has waited meanwhile: the settings may be others by now. */
export function checkMapAccess(ctx: ServiceContext, { access }: Pick<MapHead, "access">): void {
  const refusal = findMapRefusal(access, ctx.actor, ctx.clientAddress ?? null);
  if (refusal) throw new DomainError("forbidden", refusal);
}
