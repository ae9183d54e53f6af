import { idOf, pageOf } from "@fairlead/domain";
import { plannedCost } from "@fairlead/domain/cost";
import {
  createExposure,
  exposure,
  exposureDetail,
  exposurePlan,
  listExposures,
  planExposureCost,
  updateExposure,
  whatIf,
  whatIfChange,
} from "@fairlead/domain/exposure";
import * as services from "@fairlead/services";
import { byId, expectedGeneration, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Exposures";
const id = idOf("exposure");

const example = {
  clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c",
  name: "shop",
  workload: { namespace: "shop", kind: "deployment", name: "web" },
  ports: [{ name: "https", port: 443, targetPort: 8443, protocol: "tcp" }],
  strategy: { type: "ecmp", replicas: 2, poolId: "pool_01kav3x0zq8w4m2n6r5t7y9b1c" },
  labels: { team: "checkout" },
};

export const exposureRouter = router({
  list: procedure
    .meta({
      permission: "exposure:read",
      rest: { method: "GET", path: "/exposures", summary: "List exposures", tag },
    })
    .input(listExposures)
    .output(pageOf(exposure))
    .query(({ ctx, input }) => services.listExposures(ctx, input)),

  get: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "GET",
        path: "/exposures/{id}",
        summary: "Read an exposure with the replicas and backends of its load balancers",
        tag,
      },
    })
    .input(byId(id))
    .output(exposureDetail)
    .query(({ ctx, input }) => services.getExposure(ctx, input.id)),

  plan: procedure
    .meta({
      permission: "exposure:read",
      rest: { method: "POST", path: "/exposures/plan", summary: "Preview what an exposure would create", tag, example },
    })
    .input(createExposure)
    .output(exposurePlan)
    .query(({ ctx, input }) => services.previewExposure(ctx, input)),

  planCost: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "POST",
        path: "/exposures/plan/cost",
        summary: "Estimate what an exposure would cost in an hour, before any traffic",
        tag,
        example,
      },
    })
    .input(planExposureCost)
    .output(plannedCost)
    .query(({ ctx, input }) => services.planExposureCost(ctx, input)),

  create: procedure
    .meta({
      permission: "exposure:write",
      rest: { method: "POST", path: "/exposures", summary: "Expose a workload", tag, status: 201, example },
    })
    .input(createExposure)
    .output(exposure)
    .mutation(({ ctx, input }) => services.createExposure(ctx, input)),

  update: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "PATCH",
        path: "/exposures/{id}",
        summary: "Change an exposure",
        tag,
        example: { ports: [{ port: 443, targetPort: 9443 }] },
      },
    })
    .input(updateExposure.extend({ id, expectedGeneration }))
    .output(exposure)
    .mutation(({ ctx, input: { id, expectedGeneration, ...change } }) =>
      services.updateExposure(ctx, id, change, expectedGeneration),
    ),

  pause: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/exposures/{id}/pause",
        summary: "Pause an exposure: traffic continues, and nothing is changed or repaired",
        tag,
      },
    })
    .input(byId(id).extend({ expectedGeneration }))
    .output(exposure)
    .mutation(({ ctx, input }) => services.pauseExposure(ctx, input.id, input.expectedGeneration)),

  resume: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/exposures/{id}/resume",
        summary: "Resume a paused exposure: apply its newest spec and repair what differs",
        tag,
      },
    })
    .input(byId(id).extend({ expectedGeneration }))
    .output(exposure)
    .mutation(({ ctx, input }) => services.resumeExposure(ctx, input.id, input.expectedGeneration)),

  rotateTicketKeys: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/exposures/{id}/rotate-ticket-keys",
        summary: "Rotate the managed ticket keys of an exposure now, instead of when that is due",
        tag,
      },
    })
    .input(byId(id))
    .output(exposure)
    .mutation(({ ctx, input }) => services.rotateTicketKeys(ctx, input.id)),

  whatIf: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "POST",
        path: "/exposures/{id}/what-if",
        summary: "Predict latency and load of an exposure with the strategy adaptive after a change",
        tag,
        example: { roundTripMs: 18, slowed: [{ nodeId: "nod_01kav3x0zq8w4m2n6r5t7y9b1c", times: 4 }] },
      },
    })
    .input(whatIfChange.safeExtend({ id }))
    .output(whatIf)
    .query(({ ctx, input: { id, ...change } }) => services.predictWhatIf(ctx, id, change)),

  delete: procedure
    .meta({
      permission: "exposure:write",
      rest: { method: "DELETE", path: "/exposures/{id}", summary: "Delete an exposure", tag, status: 204 },
    })
    .input(byId(id).extend({ expectedGeneration }))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteExposure(ctx, input.id, input.expectedGeneration)),
});
