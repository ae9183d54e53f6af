import {
  currentEpoch,
  enter,
  reviseTickets,
  stepTicketRotation,
  type TicketMember,
  type TicketRotation,
} from "./ticket-rotation.ts";

export type TicketMemberIds = { servers: readonly string[]; replicas: readonly string[] };

/**
 * How many removed servers are remembered, the last ones. Clients of others need a full handshake if their server returns while
 * an epoch is retired that it still encrypts with. Pods have new names, so most removed servers never return.
 */
export const mostTicketsAway = 1_000;

/**
 * setTicketMembers replaces the members. Others need the names of servers that are added, so another set of these is a new
 * revision. A server that returns while an epoch is retired, and may still encrypt with that epoch, restarts the lifetime:
 * its last tickets are new.
 */
export function setTicketMembers(rotation: TicketRotation, wanted: TicketMemberIds, now: Date): TicketRotation {
  const before = new Map(rotation.members.map((each) => [keyOf(each), each]));
  const away = new Map(rotation.away.map((each) => [each.server, each]));
  const current = currentEpoch(rotation);
  const members = membersOf(wanted).map(({ kind, id }): TicketMember => {
    const epoch = (kind === "server" ? away.get(id)?.oldest : undefined) ?? current;
    return before.get(keyOf({ kind, id })) ?? { kind, id, revision: 0, epoch, outdatedSince: now };
  });
  const after = new Set(members.map(keyOf));
  const removed = rotation.members.filter((each) => !after.has(keyOf(each)));
  const added = members.filter((each) => !before.has(keyOf(each)));
  if (removed.length + added.length === 0) return rotation;
  const addedServers = added.filter((each) => each.kind === "server");
  const removedServers = removed.filter((each) => each.kind === "server");
  for (const { id } of addedServers) away.delete(id);
  for (const { id, epoch } of removedServers) away.set(id, { server: id, oldest: epoch, newest: current });
  const next = { ...rotation, members, away: [...away.values()].slice(-mostTicketsAway) };
  if (rotation.phase === "retiring" && addedServers.some((each) => each.epoch !== current))
    return enter({ ...next, dropAt: null }, "switching", rotation.epochs, now);
  if (addedServers.length + removedServers.length > 0) return stepTicketRotation(reviseTickets(next, now), now);
  return stepTicketRotation(next, now);
}

/** Sorted, because the stored state must not depend on the order of rows. */
function membersOf({ servers, replicas }: TicketMemberIds): Pick<TicketMember, "kind" | "id">[] {
  const of = (kind: TicketMember["kind"], ids: readonly string[]) =>
    [...new Set(ids)].sort(compare).map((id) => ({ kind, id }));
  return [...of("server", servers), ...of("replica", replicas)];
}

const keyOf = ({ kind, id }: Pick<TicketMember, "kind" | "id">): string => `${kind} ${id}`;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
