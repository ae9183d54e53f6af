import { z } from "zod";
import { idOf } from "../id.ts";
import { backend, replica } from "../load-balancer/load-balancer.ts";
import { adaptiveDetail } from "./adaptive-detail.ts";
import { exposure } from "./exposure.ts";
import { placementDetail } from "./placement-detail.ts";
import { sessionDetail } from "./session-detail.ts";

const loadBalancerId = idOf("loadBalancer");

/** An exposure with the replicas and backends of its balancers, up to the limit of a page. */
export const exposureDetail = exposure
  .extend({
    replicas: z.array(replica.extend({ loadBalancerId })),
    backends: z.array(backend.extend({ loadBalancerId })),
    clusters: z.array(placementDetail).describe("The clusters that it spans, its own first. Empty: only its own."),
    adaptive: adaptiveDetail.nullable().describe("null for other strategies."),
    session: sessionDetail.nullable().describe("null for other strategies."),
  })
  .meta({ id: "ExposureDetail" });
export type ExposureDetail = z.infer<typeof exposureDetail>;
