import { idOf, pageOf } from "@fairlead/domain";
import {
  decideHeldPrices,
  listPriceRefreshes,
  priceRefresh,
  priceRefreshDetail,
  startPriceRefresh,
} from "@fairlead/domain/cost";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Costs";
const id = idOf("priceRefresh");

export const priceRefreshRouter = router({
  list: procedure
    .meta({
      permission: "price:read",
      rest: {
        method: "GET",
        path: "/cost/refreshes",
        summary: "List reads of price feeds, with their results",
        tag,
      },
    })
    .input(listPriceRefreshes)
    .output(pageOf(priceRefresh))
    .query(({ ctx, input }) => services.listPriceRefreshes(ctx, input)),

  get: procedure
    .meta({
      permission: "price:read",
      rest: {
        method: "GET",
        path: "/cost/refreshes/{id}",
        summary: "Read a refresh with its held prices",
        tag,
      },
    })
    .input(byId(id))
    .output(priceRefreshDetail)
    .query(({ ctx, input }) => services.getPriceRefresh(ctx, input.id)),

  start: procedure
    .meta({
      permission: "price:write",
      rest: {
        method: "POST",
        path: "/cost/refreshes",
        summary: "Request a feed to be read; an open request is returned instead",
        tag,
        status: 201,
        example: { feed: "aws" },
      },
    })
    .input(startPriceRefresh)
    .output(priceRefresh)
    .mutation(({ ctx, input }) => services.startPriceRefresh(ctx, input)),

  accept: procedure
    .meta({
      permission: "price:write",
      rest: {
        method: "POST",
        path: "/cost/refreshes/{id}/accept",
        summary: "Accept held prices of a refresh, all of them or some",
        tag,
        example: { heldIds: ["hpr_01kav3x0zq8w4m2n6r5t7y9b1c"] },
      },
    })
    .input(decideHeldPrices)
    .output(priceRefreshDetail)
    .mutation(({ ctx, input }) => services.acceptHeldPrices(ctx, input)),

  reject: procedure
    .meta({
      permission: "price:write",
      rest: {
        method: "POST",
        path: "/cost/refreshes/{id}/reject",
        summary: "Reject held prices of a refresh, all of them or some",
        tag,
        example: { heldIds: ["hpr_01kav3x0zq8w4m2n6r5t7y9b1c"] },
      },
    })
    .input(decideHeldPrices)
    .output(priceRefreshDetail)
    .mutation(({ ctx, input }) => services.rejectHeldPrices(ctx, input)),
});
