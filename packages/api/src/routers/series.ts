import { createHash } from "node:crypto";
import { packedSeries, packSeries, queryPackedSeries, querySeries, seriesAnswer } from "@fairlead/domain/series";
import * as services from "@fairlead/services";
import { procedure, router } from "../trpc.ts";

export const seriesRouter = router({
  query: procedure
    .meta({
      permission: "series:read",
      rest: { method: "GET", path: "/series", summary: "Read measured series", tag: "Series" },
    })
    .input(querySeries)
    .output(seriesAnswer)
    .query(({ ctx, input }) => services.querySeries(ctx, input)),

  /** The same for the charts of the dashboard, which read every few seconds. */
  chart: procedure
    .meta({ permission: "series:read" })
    .input(queryPackedSeries)
    .output(packedSeries)
    .query(async ({ ctx, input }) => packSeries(await services.querySeries(ctx, input), input, digestOf)),
});

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
