import { z } from "zod";
import { amount } from "../offers/capacity-figure.ts";
import type { Demand } from "../offers/offer.ts";
import type { TrafficProfile } from "../traffic/traffic-profile.ts";
import { grade } from "./grade.ts";

/** Below this, most applications need no balancer ("How to choose a load balancer for the cloud"). */
const rarelyNeededMbps = 25;

/** Capacities of one backend with SPECweb's banking load, from the same text: examples, not defaults. */
export const exampleBackends = [
  { name: "small EC2 instance", mbps: 60 },
  { name: "c1.xlarge", mbps: 310 },
] as const;

/** The bills of the options include these items, so no balancer isn't a bill of 0 next to them. */
const billedAnyway = "No balancer cost. Public addresses and data to the internet are billed to the backends instead.";

export const noBalancer = z
  .object({
    fits: z.boolean().nullable().describe("null if the capacity of a backend isn't known."),
    grade: grade.nullable().describe("proven if the capacity was measured, likely if it is calculated from CPU time."),
    requiredMbps: z.number().describe("The peak of one backend."),
    limitMbps: z.number().nullable().describe("The capacity of one backend."),
    reasons: z.array(z.string()),
    losses: z.array(z.string()).describe("What is lost without a balancer."),
  })
  .meta({ id: "NoBalancer" });
export type NoBalancer = z.infer<typeof noBalancer>;

/** weighNoBalancer decides whether one backend carries the traffic; with an address per replica, each its share. */
export function weighNoBalancer({ profile, balancers, peak }: Demand): NoBalancer {
  const requiredMbps = peak.mbps / balancers;
  const capacity = capacityOf(profile);
  const losses = lossesOf(profile);
  if (!capacity)
    return {
      ...{ fits: null, grade: "unknown", requiredMbps, limitMbps: null },
      ...{ reasons: [...unknown(requiredMbps), billedAnyway], losses },
    };
  const { limitMbps, words, grade } = capacity;
  const fits = requiredMbps <= limitMbps;
  const compared = `One backend carries ${amount(limitMbps)} Mbit/s (${words}); the peak needs ${amount(requiredMbps)}.`;
  return {
    fits,
    grade: fits ? grade : null,
    requiredMbps,
    limitMbps,
    reasons: fits ? [compared, billedAnyway] : [compared],
    losses,
  };
}

function unknown(requiredMbps: number): string[] {
  return [
    ...(requiredMbps <= rarelyNeededMbps
      ? [`Below about ${rarelyNeededMbps} Mbit/s, most applications need no balancer.`]
      : []),
    "The capacity of one backend isn't set: measure it, or enter its CPU time per Mbit/s.",
  ];
}

type Capacity = { limitMbps: number; words: string; grade: "proven" | "likely" };

function capacityOf({ backendMbps, backendCores = 1, corePercentPerMbps }: TrafficProfile): Capacity | null {
  if (backendMbps !== undefined) return { limitMbps: backendMbps, words: "measured", grade: "proven" };
  if (corePercentPerMbps === undefined) return null;
  const words = `${amount(backendCores)} ${backendCores === 1 ? "core" : "cores"} at ${amount(corePercentPerMbps)} % of a core per Mbit/s`;
  return { limitMbps: (backendCores * 100) / corePercentPerMbps, words, grade: "likely" };
}

function lossesOf({ tls, rulesPerRequest, zones, exposedAs }: TrafficProfile): string[] {
  return [
    exposedAs === "one"
      ? "No failover: if the backend fails, the service is down."
      : "No failover: clients of a failed replica have to find another by themselves.",
    "No rolling updates: an update interrupts connections.",
    ...(zones > 1 && exposedAs === "one" ? ["One zone instead of several."] : []),
    ...(tls === "terminate" ? ["The backend terminates TLS itself: measure its capacity with TLS."] : []),
    ...(rulesPerRequest > 0 ? ["The application has to route requests itself."] : []),
  ];
}
