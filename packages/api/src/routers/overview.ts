import { overview } from "@fairlead/domain/overview";
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
});
