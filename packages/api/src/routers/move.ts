import { idOf, pageOf } from "@fairlead/domain";
import { listMoves, move, moveDetail, movePreview, previewMove, startMove } from "@fairlead/domain/move";
import * as services from "@fairlead/services";
import { byId } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Moves";
const id = idOf("move");

const example = {
  exposureId: "exp_01kav3x0zq8w4m2n6r5t7y9b1c",
  clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c",
  steps: [5, 25, 50, 100],
  watchSeconds: 60,
  gates: { maxLatencyMsP99: 50 },
};

export const moveRouter = router({
  list: procedure
    .meta({ permission: "exposure:read", rest: { method: "GET", path: "/moves", summary: "List moves", tag } })
    .input(listMoves)
    .output(pageOf(move))
    .query(({ ctx, input }) => services.listMoves(ctx, input)),

  get: procedure
    .meta({
      permission: "exposure:read",
      rest: { method: "GET", path: "/moves/{id}", summary: "Read a move with its gates and history", tag },
    })
    .input(byId(id))
    .output(moveDetail)
    .query(({ ctx, input }) => services.getMove(ctx, input.id)),

  preview: procedure
    .meta({
      permission: "exposure:read",
      rest: {
        method: "POST",
        path: "/moves/preview",
        summary: "Preview a move: its steps, its cost and what breaks",
        tag,
        example,
      },
    })
    .input(previewMove)
    .output(movePreview)
    .query(({ ctx, input }) => services.previewMove(ctx, input)),

  start: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/moves",
        summary: "Move an exposure to another cluster, step by step",
        tag,
        status: 201,
        example,
      },
    })
    .input(startMove)
    .output(move)
    .mutation(({ ctx, input }) => services.startMove(ctx, input)),

  pause: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/moves/{id}/pause",
        summary: "Pause a move: the shares stay as they are",
        tag,
      },
    })
    .input(byId(id))
    .output(move)
    .mutation(({ ctx, input }) => services.pauseMove(ctx, input.id)),

  resume: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/moves/{id}/resume",
        summary: "Resume a paused move: watch the present step again, then continue",
        tag,
      },
    })
    .input(byId(id))
    .output(move)
    .mutation(({ ctx, input }) => services.resumeMove(ctx, input.id)),

  rollBack: procedure
    .meta({
      permission: "exposure:write",
      rest: {
        method: "POST",
        path: "/moves/{id}/roll-back",
        summary: "Roll back a move: the exposure returns to where it was",
        tag,
      },
    })
    .input(byId(id))
    .output(move)
    .mutation(({ ctx, input }) => services.rollBackMove(ctx, input.id)),
});
