import { describeAge } from "../age.ts";

/** CloudReplica is one that an address may be brought to. */
export type CloudReplica = {
  agentId: string;
  nodeName: string;
  /** Where it is reached in the cloud's network; empty while it hasn't said. */
  address: string;
  /** Its last report says that it serves the load balancer. */
  isReady: boolean;
  message: string;
  isDraining: boolean;
  /** null for one that never reported. */
  silentForMs: number | null;
  reportIntervalMs: number;
};

export type CloudSpec = {
  address: string;
  /** Who has it so far; null for nobody. */
  agentId: string | null;
  replicas: readonly CloudReplica[];
};

/** reason says why it isn't where it was, or why it stays where it shouldn't be; empty where all is well. */
export type CloudPlace = { address: string; to: CloudReplica | null; isServed: boolean; reason: string };

/** Of missed reports. Nothing else carries the address meanwhile, so this is sooner than a silence is told. */
const missed = 3;

/** unfitAfterMs is how long a replica may be silent and keep its addresses. */
export function unfitAfterMs(reportIntervalMs: number): number {
  return missed * reportIntervalMs;
}

/**
 * placeCloudAddresses decides which replica gets which address. An address stays where it is while that replica is fit,
 * for every move breaks what isn't known elsewhere; one that must move goes to the fit replica which has the fewest. With
 * nobody fit it stays too: nowhere is worse than a replica that may only have lost its way to us.
 */
export function placeCloudAddresses(specs: readonly CloudSpec[]): CloudPlace[] {
  const counts = new Map<string, number>();
  const take = ({ agentId }: CloudReplica) => counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
  const holders = specs.map(({ agentId, replicas }) => replicas.find((each) => each.agentId === agentId) ?? null);
  for (const holder of holders) if (holder && !whyUnfit(holder)) take(holder);
  return specs.map(({ address, agentId, replicas }, index): CloudPlace => {
    const holder = holders[index] ?? null;
    const why = holder ? whyUnfit(holder) : agentId === null ? "" : "the replica before is gone";
    if (holder && !why) return { address, to: holder, isServed: true, reason: "" };
    const [best] = replicas
      .filter((each) => !whyUnfit(each))
      .sort((a, b) => (counts.get(a.agentId) ?? 0) - (counts.get(b.agentId) ?? 0) || (a.agentId < b.agentId ? -1 : 1));
    if (best) {
      take(best);
      return { address, to: best, isServed: true, reason: why };
    }
    return { address, to: holder, isServed: false, reason: `no replica is fit for it: ${whyNobody(replicas)}` };
  });
}

function whyNobody(replicas: readonly CloudReplica[]): string {
  return replicas.length === 0 ? "none is placed on an agent" : replicas.map(whyUnfit).join("; ");
}

/** whyUnfit says why a replica should not have an address; empty for one that should. */
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
  if (address === "") return `${nodeName} has not said where it is reached`;
  if (!isReady) return `${nodeName} doesn't serve it${message ? ` (${message.replace(/\.$/, "")})` : ""}`;
  return "";
}
