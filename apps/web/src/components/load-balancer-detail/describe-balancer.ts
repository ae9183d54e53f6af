import type { LoadBalancer } from "@fairlead/domain";

/** describeBalancer says in a sentence how a load balancer stands. */
export function describeBalancer(balancer: LoadBalancer): string {
  if (balancer.phase === "deleting") return "It drains: old connections may finish, new ones are refused.";
  if (!balancer.observedAt) return "It is asked for; nothing has been seen of it yet.";
  if (balancer.message) return balancer.message;
  const { replicasReady, replicasDesired, backendsUp, backendsTotal } = balancer;
  const replicas = balancer.kind === "fairlead" ? `${replicasReady} of ${replicasDesired} replicas are ready and ` : "";
  return capital(`${replicas}${backendsUp} of ${backendsTotal} backends are up.`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** differencesOfBalancer lists where what is there is not what is asked for. */
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
