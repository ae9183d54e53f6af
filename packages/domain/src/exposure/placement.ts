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
      .min(0, "0 % at least")
      .max(100, "100 % at most")
      .describe(
        "The share of new connections, in percent. All shares add up to 100. With 0 the cluster stands by: it gets connections only while all clusters with a share fail.",
      ),
    workload: workload.optional().describe("The workload there. Default: that of the exposure."),
  })
  .meta({ id: "Placement" });
export type Placement = z.infer<typeof placement>;

/** standsBy returns whether a cluster of an exposure gets connections only while all others fail. */
export const standsBy = ({ share }: Pick<Placement, "share">): boolean => share === 0;

export const placements = z
  .array(placement)
  .max(mostPlacements, `${mostPlacements} clusters at most`)
  .describe(
    "The clusters that it spans, with its own. All announce the same address, so they need a router in common. Only with the strategy ecmp. Empty: only its own.",
  );
