import { controlPlane } from "@fairlead/domain/node";
import * as services from "@fairlead/services";
import { z } from "zod";
import { procedure, router } from "../trpc.ts";

export const controlPlaneRouter = router({
  get: procedure
    .meta({
      permission: "node:read",
      rest: {
        method: "GET",
        path: "/control-plane",
        summary: "Read where machines download the agent, and where agents connect",
        tag: "Enrolment tokens",
      },
    })
    .input(z.strictObject({}).optional())
    .output(controlPlane)
    .query(({ ctx }) => services.getControlPlane(ctx)),
});
