import { DomainError, notFound } from "@fairlead/domain";
import { findMapRefusal } from "@fairlead/domain/address-map";
import { authorize, type ServiceContext } from "../context.ts";
import { type MapHead, selectMapHeads } from "./head.sql.ts";
import { takeMapRead } from "./take-read.ts";

/** openMap finds an exposure's map for an actor who may read it, and returns its head. */
export async function openMap(ctx: ServiceContext, id: string, path?: string[]): Promise<MapHead> {
  authorize(ctx, "map:read");
  await takeMapRead(ctx);
  const [head] = await selectMapHeads(ctx.db, [id]);
  if (!head || head.organizationId !== ctx.organizationId) throw notFound("exposure", id, path);
  checkMapAccess(ctx, head);
  return head;
}

/** checkMapAccess checks again after a wait: the settings may have changed. */
export function checkMapAccess(ctx: ServiceContext, { access }: Pick<MapHead, "access">): void {
  const refusal = findMapRefusal(access, ctx.actor, ctx.clientAddress ?? null);
  if (refusal) throw new DomainError("forbidden", refusal);
}
