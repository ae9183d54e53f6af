import type { TicketPhase } from "../load-balancer/ticket-rotation.ts";
import { ticketPhaseFacts } from "../load-balancer/ticket-steps.ts";

const mostNamed = 3;

/** Waiting is which members of a rotation are outdated: some servers by name, and how many there are. */
export type Waiting = { servers: readonly string[]; serverCount: number; replicaCount: number };

/** describeWaiting names what a rotation of ticket keys waits for. */
export function describeWaiting({ servers, serverCount, replicaCount }: Waiting): string {
  const named = servers.slice(0, mostNamed);
  const more = serverCount - named.length;
  const parts = [
    ...named,
    ...(more > 0 ? [`${more} more ${more === 1 ? "server" : "servers"}`] : []),
    ...(replicaCount > 0 ? [`${replicaCount} ${replicaCount === 1 ? "replica" : "replicas"}`] : []),
  ];
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

/** describeTicketKeys says in one or two sentences what happens in a phase, and what it waits for. */
export function describeTicketKeys(phase: TicketPhase, waiting: Waiting): string {
  const { summary } = ticketPhaseFacts[phase];
  if (waiting.serverCount + waiting.replicaCount > 0)
    return `${phase === "idle" || phase === "retiring" ? "" : `${summary} `}Waits for ${describeWaiting(waiting)}.`;
  return phase === "idle" ? "All servers have the newest keys." : summary;
}
