import { weightsProtocol } from "../exposure/find-router-problem.ts";
import type { PlacedLoadBalancer } from "./balancer-config.ts";

/**
 * The version of the agent protocol from which agents carry sessions by a proxy, place them by managed ticket keys, unwrap
 * packets next to servers, and place connections by cost.
 */
export const sessionProtocol = 2;

/** OutdatedAgent is an agent of an earlier version that an exposure needs. */
export type OutdatedAgent = { nodeName: string; role: "balancer" | "backend" };

/** An agent rejects its whole config if it has what its version doesn't understand: so that is left out or replaced. */
export function forProtocol(placed: PlacedLoadBalancer, protocolVersion: number): PlacedLoadBalancer {
  if (protocolVersion >= weightsProtocol) return placed;
  // Earlier versions would report backends of other clusters, and announce the address because of them.
  const balancer = { ...placed, backends: placed.backends.filter((each) => !each.elsewhere) };
  if (protocolVersion >= sessionProtocol) return balancer;
  const { session, byCost, backends } = balancer;
  // Earlier versions place no connections by cost, and have no standby backends.
  if (byCost) return { ...balancer, byCost: undefined, backends: backends.filter((each) => each.weight > 0) };
  if (!session) return balancer;
  if (balancer.delivery === "proxy") return { ...balancer, delivery: "nat", session: undefined };
  if (session.names !== "managed") return balancer;
  const { ticketKeys: _, ...learned } = session;
  return { ...balancer, session: { ...learned, names: "learned" } };
}

const lacks = {
  balancer: "it uses no managed ticket keys and no proxy",
  backend: "it writes no ticket keys and unwraps no packets",
} as const;

/** describeOutdated returns which agent to update, and what it can't do until then; empty if none is outdated. */
export function describeOutdated(outdated: readonly OutdatedAgent[]): string {
  const [first] = outdated;
  if (!first) return "";
  const more = outdated.length > 1 ? ` and ${outdated.length - 1} more` : "";
  return `Update the agent of the role ${first.role} on ${first.nodeName}${more}: until then, ${lacks[first.role]}.`;
}
