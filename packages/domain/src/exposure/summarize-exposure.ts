import type { ConditionReason } from "../event/reasons.ts";
import { explainSurplus } from "./explain-omitted.ts";
import type { DesiredExposure, ObservedExposure, ObservedLoadBalancer } from "./exposure-state.ts";
import type { ObservedOutside } from "./observed-outside.ts";
import { describeWorkload } from "./plan-exposure.ts";

/** summarizeExposure derives the phase and message of an exposure from what a driver observed after setting it. */
export function summarizeExposure(desired: DesiredExposure, outside: ObservedOutside): ObservedExposure {
  const wanted = desired.loadBalancers.filter((each) => !each.deletedAt);
  const seen = new Map(outside.loadBalancers.map((each) => [each.id, each]));
  const loadBalancers = wanted.map((each) => seen.get(each.id) ?? missing(each.id));
  const { phase, reason, message } = withSurplus(desired, outside.surplus ?? 0, judge(desired, loadBalancers));
  return {
    generation: desired.generation,
    phase,
    message,
    conditions: [{ type: "Ready", status: phase === "serving" ? "true" : "false", reason, message }],
    applied: true,
    loadBalancers,
  };
}

function missing(id: string): ObservedLoadBalancer {
  const message = "It doesn't exist yet.";
  return { id, phase: "pending", message, address: null, replicas: [], backends: [], mappings: [] };
}

/** Instances over the limit come first in the message: they won't get an address without a change of the spec. */
function withSurplus({ workload }: DesiredExposure, surplus: number, judged: Judgement): Judgement {
  if (surplus === 0) return judged;
  return {
    phase: judged.phase === "serving" ? "degraded" : judged.phase,
    reason: "TooManyInstances",
    message: `${explainSurplus(workload, surplus)} ${judged.message}`,
  };
}

type Judgement = { phase: ObservedExposure["phase"]; reason: ConditionReason; message: string };

function judge(desired: DesiredExposure, loadBalancers: ObservedLoadBalancer[]): Judgement {
  const total = loadBalancers.length;
  if (total === 0)
    return {
      phase: "pending",
      reason: "NoInstances",
      message: `Nothing to expose yet: there is no instance of ${describeWorkload(desired.workload)}.`,
    };
  const serving = loadBalancers.filter((each) => each.phase === "serving").length;
  const degraded = loadBalancers.filter((each) => each.phase === "degraded").length;
  const failed = loadBalancers.filter((each) => each.phase === "failed").length;
  const why = loadBalancers.find((each) => each.phase !== "serving" && each.message)?.message ?? "";
  if (serving === total) return { phase: "serving", reason: "Serving", message: servingOn(loadBalancers) };
  if (serving + degraded > 0)
    return {
      phase: "degraded",
      reason: "PartlyServing",
      message: sentence(`${serving} of ${total} ${plural(total, "load balancer")} ${verb(serving)} fully`, why),
    };
  if (failed > 0)
    return { phase: "failed", reason: "Failed", message: sentence(`None of ${total} load balancers serves`, why) };
  return { phase: "pending", reason: "Waiting", message: sentence("Waiting for the cluster to create it", why) };
}

function servingOn(loadBalancers: ObservedLoadBalancer[]): string {
  const replicas = loadBalancers.flatMap((each) => each.replicas);
  const ready = replicas.filter((each) => each.ready).length;
  if (loadBalancers.length === 1 && replicas.length > 0)
    return `Serving on ${ready} of ${replicas.length} ${plural(replicas.length, "replica")}.`;
  return `Serving on ${loadBalancers.length} ${plural(loadBalancers.length, "load balancer")}.`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

function verb(count: number): string {
  return count === 1 ? "serves" : "serve";
}

function sentence(head: string, why: string): string {
  return why ? `${head}: ${why}` : `${head}.`;
}
