import { type Estimate, type EstimateAsked, estimateCosts } from "@fairlead/domain";
import { catalogueOf } from "./keep-catalogue.ts";
import type { OpenContext } from "./open-context.ts";

/** estimateCost says what every kind of balancer would cost for a traffic by the newest prices, and which to choose. */
export async function estimateCost(ctx: OpenContext, asked: EstimateAsked): Promise<Estimate> {
  return estimateCosts(asked, await catalogueOf(ctx));
}
