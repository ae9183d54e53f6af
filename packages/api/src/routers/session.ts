import { session, switchOrganization } from "@fairlead/domain/access";
import * as services from "@fairlead/services";
import { z } from "zod";
import { procedure, router } from "../trpc.ts";

export const sessionRouter = router({
  get: procedure
    .meta({
      permission: "signed-in",
      rest: { method: "GET", path: "/session", summary: "Read your identity and permissions", tag: "Session" },
    })
    .input(z.strictObject({}).optional())
    .output(session)
    .query(({ ctx }) => services.getSession(ctx)),

  /** For a user of the dashboard. An API key belongs to one organisation. */
  switchOrganization: procedure
    .meta({ permission: "person" })
    .input(switchOrganization)
    .output(session)
    .mutation(({ ctx, input }) => services.switchOrganization(ctx, input)),
});
