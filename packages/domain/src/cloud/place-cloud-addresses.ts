import { describeAge } from "../age.ts";

/** CloudReplica is a replica that an address may be placed on. */
export type CloudReplica = {
  agentId: string;
  nodeName: string;
  /** Its address in the cloud's network; empty until it is reported. */
  address: string;
  /** Whether it serves the load balancer, by its last report. */
  isReady: boolean;
  message: string;
  isDraining: boolean;
  /** null if it never reported. */
  silentForMs: number | null;
  reportIntervalMs: number;
};

export type CloudSpec = {
  address: string;
  /** The agent that has it so far; null for none. */
  agentId: string | null;
  replicas: readonly CloudReplica[];
};

/** reason is why it moves, or why it stays on an unhealthy replica; empty otherwise. */
export type CloudPlace = { address: string; to: CloudReplica | null; isServed: boolean; reason: string };

/** Number of missed reports. Fewer than until an agent counts as silent, because no other replica serves the address meanwhile. */
const missed = 3;

/** unfitAfterMs is how long a silent replica keeps its addresses. */
export function unfitAfterMs(reportIntervalMs: number): number {
  return missed * reportIntervalMs;
}

/**
 * placeCloudAddresses assigns addresses to replicas. An address stays while its replica is healthy, because every move
 * breaks connections; an address that must move goes to the healthy replica with the fewest. If no replica is healthy, it
 * stays too: the replica may still work and only have lost its connection to the control plane.
 */
export function placeCloudAddresses(specs: readonly CloudSpec[]): CloudPlace[] {
  const counts = new Map<string, number>();
  const take = ({ agentId }: CloudReplica) => counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
  const holders = specs.map(({ agentId, replicas }) => replicas.find((each) => each.agentId === agentId) ?? null);
  for (const holder of holders) if (holder && !whyUnfit(holder)) take(holder);
  return specs.map(({ address, agentId, replicas }, index): CloudPlace => {
    const holder = holders[index] ?? null;
    const why = holder ? whyUnfit(holder) : agentId === null ? "" : "the previous replica is gone";
    if (holder && !why) return { address, to: holder, isServed: true, reason: "" };
    const [best] = replicas
      .filter((each) => !whyUnfit(each))
      .sort((a, b) => (counts.get(a.agentId) ?? 0) - (counts.get(b.agentId) ?? 0) || (a.agentId < b.agentId ? -1 : 1));
    if (best) {
      take(best);
      return { address, to: best, isServed: true, reason: why };
    }
    return { address, to: holder, isServed: false, reason: `no replica is fit for it: ${whyNone(replicas)}` };
  });
}

function whyNone(replicas: readonly CloudReplica[]): string {
  return replicas.length === 0 ? "none is placed on an agent" : replicas.map(whyUnfit).join("; ");
}

/** whyUnfit returns why a replica should not have an address; empty if it should. */
export function whyUnfit({
  nodeName,
  address,
  isReady,
  message,
  isDraining,
  silentForMs,
  reportIntervalMs,
}: CloudReplica): string {
  if (silentForMs === null) return `${nodeName} has never reported`;
  if (silentForMs > unfitAfterMs(reportIntervalMs))
    return `${nodeName} has not reported for ${describeAge(silentForMs)}`;
  if (isDraining) return `${nodeName} drains`;
  if (address === "") return `${nodeName} has not reported its address`;
  if (!isReady) return `${nodeName} doesn't serve it${message ? ` (${message.replace(/\.$/, "")})` : ""}`;
  return "";
}
