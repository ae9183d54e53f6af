import { pageOf } from "@fairlead/domain";
import {
  compareCosts,
  costComparison,
  costsAnswer,
  estimateAnswer,
  estimateRequest,
  listCosts,
  listPricePoints,
  listUsage,
  recountUsage,
  soldOffer,
  storedPrice,
  usageAnswer,
  usageRecount,
} from "@fairlead/domain/cost";
import * as services from "@fairlead/services";
import { z } from "zod";
import { openProcedure, procedure, router } from "../trpc.ts";

const tag = "Costs";
const ofMoment = z.strictObject({ pricesOf: estimateRequest.shape.pricesOf });

export const costRouter = router({
  estimate: openProcedure
    .meta({
      permission: "anyone",
      rest: {
        method: "POST",
        path: "/cost/estimate",
        summary: "Calculate what every kind of balancer would cost for a traffic profile, and which to choose",
        tag,
        example: { profile: { averageMbps: 25, newConnectionsPerSecond: 40 }, providers: ["aws"] },
      },
    })
    .input(estimateRequest)
    .output(estimateAnswer)
    .mutation(({ ctx, input }) => services.estimateCost(ctx, input)),

  // For the calculator pages, which calculate in the browser: the public one and the one of members.
  prices: openProcedure
    .meta({ permission: "anyone" })
    .input(ofMoment)
    .query(({ ctx, input }) => services.listPrices(ctx, input.pricesOf)),
  ownPrices: procedure
    .meta({ permission: "price:read" })
    .input(ofMoment)
    .query(({ ctx, input }) => services.listOwnPrices(ctx, input.pricesOf)),

  list: procedure
    .meta({
      permission: ["exposure:read", "series:read"],
      rest: {
        method: "GET",
        path: "/costs",
        summary: "Sum up what load balancers cost: usage at the price of its hour",
        tag,
      },
    })
    .input(listCosts)
    .output(costsAnswer)
    .query(({ ctx, input }) => services.listCosts(ctx, input)),
  compare: procedure
    .meta({
      permission: ["exposure:read", "series:read"],
      rest: {
        method: "GET",
        path: "/exposures/{id}/cost-comparison",
        summary: "Calculate what an exposure's measured traffic would cost with other load balancers",
        tag,
      },
    })
    .input(compareCosts)
    .output(costComparison)
    .query(({ ctx, input }) => services.compareCosts(ctx, input)),
});

export const usageRouter = router({
  list: procedure
    .meta({
      permission: ["exposure:read", "series:read"],
      rest: {
        method: "GET",
        path: "/usage",
        summary: "Sum up what load balancers used, by the hour, with how much of it was measured",
        tag,
      },
    })
    .input(listUsage)
    .output(usageAnswer)
    .query(({ ctx, input }) => services.listUsage(ctx, input)),
  recount: procedure
    .meta({
      permission: "usage:write",
      rest: {
        method: "POST",
        path: "/usage/recounts",
        summary: "Recalculate hours of usage from the series",
        tag,
        example: { from: "2026-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z" },
      },
    })
    .input(recountUsage)
    .output(usageRecount)
    .mutation(({ ctx, input }) => services.recountUsage(ctx, input)),
});

export const offerRouter = router({
  list: openProcedure
    .meta({
      permission: "anyone",
      rest: {
        method: "GET",
        path: "/cost/offers",
        summary: "List what an estimate compares, and in which regions it is sold",
        tag,
      },
    })
    .output(z.object({ items: z.array(soldOffer) }))
    .query(({ ctx }) => services.listOffers(ctx)),
});

export const pricePointRouter = router({
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
