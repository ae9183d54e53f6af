import type { LoadBalancer } from "@fairlead/domain/load-balancer";

/** describeBalancer summarises the state of a load balancer. */
export function describeBalancer(balancer: LoadBalancer): string {
  if (balancer.phase === "deleting") return "Draining: existing connections can finish, new ones are rejected.";
  if (!balancer.observedAt) return "Created, but not observed yet.";
  if (balancer.message) return balancer.message;
  const { replicasReady, replicasDesired, backendsUp, backendsTotal } = balancer;
  const replicas = balancer.kind === "fairlead" ? `${replicasReady} of ${replicasDesired} replicas are ready and ` : "";
  return capital(`${replicas}${backendsUp} of ${backendsTotal} backends are up.`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** differencesOfBalancer lists what is not in the desired state. */
export function differencesOfBalancer(balancer: LoadBalancer): { label: string; desired: string; observed: string }[] {
  if (balancer.kind !== "fairlead" || balancer.replicasReady === balancer.replicasDesired) return [];
  return [
    {
      label: "Replicas",
      desired: `${balancer.replicasDesired} ready`,
      observed: `${balancer.replicasReady} ready`,
    },
  ];
}
