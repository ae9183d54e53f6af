import { z } from "zod";
import { idOf } from "../id.ts";
import { loadBalancerPhase } from "../load-balancer/load-balancer.ts";
import { volatile } from "../volatile.ts";

/** One cluster of an exposure that spans several, as it is observed. */
export const placementDetail = z
  .object({
    clusterId: idOf("cluster"),
    clusterName: z.string(),
    loadBalancerId: idOf("loadBalancer"),
    share: z.int().nullable().describe("The requested share, in percent; null while it is being removed."),
    routedShare: volatile(z.number().nullable()).describe(
      "The share of the address's next hops in the kernels of Fairlead routers, in percent; null while none reports it.",
    ),
    routedAt: volatile(z.date().nullable()).describe("When the last of these routers reported."),
    phase: loadBalancerPhase,
    message: z.string(),
  })
  .meta({ id: "PlacementDetail" });
export type PlacementDetail = z.infer<typeof placementDetail>;
