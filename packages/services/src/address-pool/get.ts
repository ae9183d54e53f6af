import type { Tx } from "@fairlead/db";
import type { AddressPool } from "@fairlead/domain/address-pool";
import { authorize, type ServiceContext } from "../context.ts";
import { loadOne } from "../control/load-one.ts";
import { type AddressPoolRow, addressPoolSource, toAddressPool } from "./rows.ts";

export async function getAddressPool(ctx: ServiceContext, id: string): Promise<AddressPool> {
  authorize(ctx, "address-pool:read");
  return loadAddressPool(ctx.db, ctx.organizationId, id);
}

/** loadAddressPool is for verbs that have checked their own permission. */
export async function loadAddressPool(tx: Tx, organizationId: string, id: string): Promise<AddressPool> {
  return toAddressPool(await loadOne<AddressPoolRow>(tx, "address pool", addressPoolSource, organizationId, id));
}
