import { listOffers as listSold, type SoldOffer } from "@fairlead/domain";
import { catalogueOf } from "./keep-catalogue.ts";
import type { OpenContext } from "./open-context.ts";

/** listOffers answers everything that an estimate compares. */
export async function listOffers(ctx: OpenContext): Promise<{ items: SoldOffer[] }> {
  return { items: listSold(await catalogueOf(ctx)) };
}
