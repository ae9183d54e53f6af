import { z } from "zod";
import { idOf } from "../id.ts";
import { workload } from "./workload.ts";

/** The limit of clusters that one exposure spans. */
export const mostPlacements = 16;

/** A placement is one of the clusters that an exposure spans. */
export const placement = z
  .strictObject({
    clusterId: idOf("cluster"),
    share: z
      .int("enter a whole number of percent")
      .min(1, "1 % at least: leave out a cluster that should get none")
      .max(99, "99 % at most: without other clusters, leave out the placements")
      .describe("The share of new connections, in percent. All shares add up to 100."),
    workload: workload.optional().describe("The workload there. Default: that of the exposure."),
  })
  .meta({ id: "Placement" });
export type Placement = z.infer<typeof placement>;

export const placements = z
  .array(placement)
  .max(mostPlacements, `${mostPlacements} clusters at most`)
  .describe(
    "The clusters that it spans, with its own. All announce the same address, so they need a router in common. Only with the strategy ecmp. Empty: only its own.",
  );
