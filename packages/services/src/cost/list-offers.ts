import { listOffers as listSold, type SoldOffer } from "@fairlead/domain/cost";
import { keepCatalogue } from "./keep-catalogue.ts";
import { bookOwner, type OpenContext } from "./open-context.ts";

/**
 * listOffers returns everything that an estimate compares; for an identified actor also their organisation's machines.
 */
export async function listOffers(ctx: OpenContext): Promise<{ items: SoldOffer[] }> {
  const { catalogue } = await keepCatalogue(ctx, { organizationId: bookOwner(ctx) });
  return { items: listSold(catalogue) };
}
