import { overview } from "@fairlead/domain/overview";
import { trafficFlow } from "@fairlead/domain/traffic-flow";
import * as services from "@fairlead/services";
import { z } from "zod";
import { procedure, router } from "../trpc.ts";

export const overviewRouter = router({
  get: procedure
    .meta({
      permission: services.overviewPermissions,
      rest: { method: "GET", path: "/overview", summary: "Read an overview of all objects", tag: "Overview" },
    })
    .input(z.strictObject({}).optional())
    .output(overview)
    .query(({ ctx }) => services.getOverview(ctx)),

  flow: procedure
    .meta({
      permission: services.fleetFlowPermissions,
      rest: {
        method: "GET",
        path: "/overview/flow",
        summary: "Read the way of all traffic over Fairlead's balancers: client networks, routers, nodes and exposures",
        tag: "Overview",
      },
    })
    .input(z.strictObject({}).optional())
    .output(trafficFlow)
    .query(({ ctx }) => services.getFleetFlow(ctx)),
});
