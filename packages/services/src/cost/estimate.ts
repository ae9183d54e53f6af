import { type EstimateAnswer, type EstimateRequest, estimateCosts, withBookRates } from "@fairlead/domain/cost";
import { keepCatalogue } from "./keep-catalogue.ts";
import { bookOwner, type OpenContext } from "./open-context.ts";

/**
 * estimateCost calculates what every kind of balancer would cost for a traffic profile, and which to choose: by the
 * newest prices, or those of another moment. For an identified actor, the organisation's price book applies.
 */
export async function estimateCost(ctx: OpenContext, request: EstimateRequest): Promise<EstimateAnswer> {
  const organizationId = bookOwner(ctx);
  const { catalogue, rates, pricesOf } = await keepCatalogue(ctx, { organizationId, pricesOf: request.pricesOf });
  return {
    ...estimateCosts({ ...request, rates: withBookRates(request.rates, rates) }, catalogue),
    pricesOf: pricesOf.toISOString(),
    hasPriceBook: organizationId !== null,
  };
}
