import { loadOf, type SimulatedService } from "./simulated-service.ts";
import type { SimulatorResult } from "./to-plan.ts";
import type { WhatIfPrediction } from "./what-if.ts";

/** toPrediction joins a service with its simulation, which is null if the service is overloaded. */
export function toPrediction(service: SimulatedService, result: SimulatorResult | null): WhatIfPrediction {
  return {
    load: loadOf(service),
    latencyMsMean: result?.meanMs ?? null,
    latencyMsP50: result?.latency.p50Ms ?? null,
    latencyMsP99: result?.latency.p99Ms ?? null,
    localShare: result?.localShare ?? null,
    nodes: service.nodes.map(({ nodeId, nodeName, instances, requestsPerSecond }, place) => ({
      ...{ nodeId, nodeName, instances, requestsPerSecond },
      busyRatio: result?.busyShares[place] ?? null,
    })),
  };
}
