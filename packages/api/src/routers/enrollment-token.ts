import { idOf, pageOf } from "@fairlead/domain";
import {
  createdEnrollmentToken,
  createEnrollmentToken,
  enrollmentToken,
  listEnrollmentTokens,
} from "@fairlead/domain/cluster";
import * as services from "@fairlead/services";
import { byId, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Enrolment tokens";

export const enrollmentTokenRouter = router({
  list: procedure
    .meta({
      permission: "node:read",
      rest: { method: "GET", path: "/enrollment-tokens", summary: "List enrolment tokens", tag },
    })
    .input(listEnrollmentTokens)
    .output(pageOf(enrollmentToken))
    .query(({ ctx, input }) => services.listEnrollmentTokens(ctx, input)),

  create: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "POST",
        path: "/enrollment-tokens",
        summary: "Create a token that enrols one agent",
        tag,
        status: 201,
        example: { clusterId: "clu_01kav3x0zq8w4m2n6r5t7y9b1c", nodeName: "rack-3-node-7", expiresInMinutes: 30 },
      },
    })
    .input(createEnrollmentToken)
    .output(createdEnrollmentToken)
    .mutation(({ ctx, input }) => services.createEnrollmentToken(ctx, input)),

  delete: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "DELETE",
        path: "/enrollment-tokens/{id}",
        summary: "Delete an enrolment token",
        tag,
        status: 204,
      },
    })
    .input(byId(idOf("enrollmentToken")))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteEnrollmentToken(ctx, input.id)),
});
