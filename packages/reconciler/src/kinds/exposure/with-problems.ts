import type { ObservedLoadBalancer, ObservedOutside } from "@fairlead/domain/exposure";
import type { ExposureProblem } from "@fairlead/drivers";

/** withProblems adds to each load balancer that could not be updated the reason. One that serves keeps serving. */
export function withProblems(outside: ObservedOutside, problems: readonly ExposureProblem[]): ObservedOutside {
  if (problems.length === 0) return outside;
  const messages = new Map(problems.map((each) => [each.loadBalancerId, sentenceOf(each.message)]));
  const loadBalancers = outside.loadBalancers.map((each): ObservedLoadBalancer => {
    const message = messages.get(each.id);
    messages.delete(each.id);
    if (message === undefined) return each;
    return { ...each, phase: each.phase === "serving" ? "degraded" : "failed", message };
  });
  return {
    ...outside,
    loadBalancers: [...loadBalancers, ...[...messages].map(([id, message]) => failed(id, message))],
  };
}

function failed(id: string, message: string): ObservedLoadBalancer {
  return { id, phase: "failed", message, address: null, replicas: [], backends: [], mappings: [] };
}

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;
}
