import { idOf } from "@fairlead/domain";
import { trafficFlow } from "@fairlead/domain/traffic-flow";
import * as services from "@fairlead/services";
import { z } from "zod";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

export const trafficFlowRouter = router({
  ofExposure: procedure
    .meta({
      permission: services.flowPermissions,
      rest: {
        method: "GET",
        path: "/exposures/{id}/flow",
        summary: "Read the path of an exposure's traffic: client networks, routers, replicas and backends",
        tag: "Exposures",
      },
    })
    .input(byId(idOf("exposure")))
    .output(trafficFlow)
    .query(({ ctx, input }) => services.getExposureFlow(ctx, input.id)),

  ofFleet: procedure
    .meta({
      permission: services.flowPermissions,
      rest: {
        method: "GET",
        path: "/overview/flow",
        summary:
          "Read the path of all traffic over Fairlead's balancers: client networks, routers, nodes and exposures",
        tag: "Overview",
      },
    })
    .input(z.strictObject({}).optional())
    .output(trafficFlow)
    .query(({ ctx }) => services.getFleetFlow(ctx)),
});
