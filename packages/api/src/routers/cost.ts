import { estimate, estimateAsked, listPricePoints, pageOf, soldOffer, storedPrice } from "@fairlead/domain";
import * as services from "@fairlead/services";
import { z } from "zod";
import { openProcedure, router } from "../trpc.ts";

const tag = "Costs";

export const costRouter = router({
  estimate: openProcedure
    .meta({
      permission: "anyone",
      rest: {
        method: "POST",
        path: "/cost/estimate",
        summary: "Reckon what every kind of balancer would cost for a traffic, and which to choose",
        tag,
        example: { profile: { averageMbps: 25, newConnectionsPerSecond: 40 }, providers: ["aws"] },
      },
    })
    .input(estimateAsked)
    .output(estimate)
    .mutation(({ ctx, input }) => services.estimateCost(ctx, input)),
});

export const offerRouter = router({
  list: openProcedure
    .meta({
      permission: "anyone",
      rest: {
        method: "GET",
        path: "/cost/offers",
        summary: "List what an estimate compares, and where it is sold",
        tag,
      },
    })
    .output(z.object({ items: z.array(soldOffer) }))
    .query(({ ctx }) => services.listOffers(ctx)),
});

export const pricePointRouter = router({
  /** For the calculator page, which reckons by itself. */
  newest: openProcedure.meta({ permission: "anyone" }).query(({ ctx }) => services.listNewestPrices(ctx)),
  list: openProcedure
    .meta({
      permission: "anyone",
      rest: {
        method: "GET",
        path: "/cost/price-points",
        summary: "List prices, with the day and the source of each",
        tag,
      },
    })
    .input(listPricePoints)
    .output(pageOf(storedPrice))
    .query(({ ctx, input }) => services.listPricePoints(ctx, input)),
});
