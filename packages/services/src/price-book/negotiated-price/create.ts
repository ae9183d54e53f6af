import { newId } from "@fairlead/domain";
import type { CreateNegotiatedPrice, NegotiatedPrice } from "@fairlead/domain/cost";
import type { ServiceContext } from "../../context.ts";
import { createEntry } from "../entries.ts";
import { findListedUnit } from "./find-listed.ts";
import { columnsOf, negotiatedPriceKind } from "./rows.ts";

/** createNegotiatedPrice sets a price that replaces the listed one for the organisation, from a day on. */
export function createNegotiatedPrice(ctx: ServiceContext, input: CreateNegotiatedPrice): Promise<NegotiatedPrice> {
  const { organizationId, now } = ctx;
  return createEntry(ctx, negotiatedPriceKind, input, async (tx) => {
    const { price, ...rest } = input;
    const unit = await findListedUnit(tx, input);
    const own = { id: newId("negotiatedPrice", now), organizationId, unit, createdAt: now, updatedAt: now };
    return tx.negotiatedPrice.create({ data: { ...rest, ...columnsOf(price), ...own } });
  });
}
