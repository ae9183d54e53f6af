/**
 * The phases of a rotation, in their order. idle: one epoch. adding: servers accept tickets of the next epoch, and replicas
 * get its names. switching: servers encrypt with it. retiring: the last tickets of the former epoch expire.
 */
export const ticketPhases = ["idle", "adding", "switching", "retiring"] as const;
export type TicketPhase = (typeof ticketPhases)[number];

/** TicketMember has to apply each revision and to acknowledge it: a server encrypts and accepts tickets, a replica looks names up. */
export type TicketMember = {
  kind: "server" | "replica";
  /** The instance of a server, or the replica. */
  id: string;
  /** The one that it acknowledged; 0 for none. */
  revision: number;
  /** The oldest one that a server may encrypt with. */
  epoch: number;
  /** Since when it lacks the newest revision; null while it has it. */
  outdatedSince: Date | null;
};

/**
 * TicketAway is the epochs that a removed server may encrypt with. It gets no keys, but it may have applied some that it
 * didn't acknowledge. It is forgotten when the newest one is dropped.
 */
export type TicketAway = { server: string; oldest: number; newest: number };

/** Acknowledgement is what is known of a member: the revision that it reports, and the epoch of its last observed ticket. */
export type Acknowledgement = Pick<TicketMember, "kind" | "id" | "revision"> & {
  encrypts: { epoch: number; seen: Date } | null;
};

/**
 * TicketRotation is which keys all members should have, and who has them. Each function returns the next state, which is
 * stored before keys are sent. A state that was loaded again continues where it was, because acknowledgements are repeated.
 */
export type TicketRotation = {
  phase: TicketPhase;
  /** One secret each. Servers encrypt with the first one. */
  epochs: readonly number[];
  /** Of what members should have. */
  revision: number;
  /** The start of the phase. */
  since: Date;
  /** How long clients may use a ticket. */
  lifetimeMs: number;
  /** When the former epoch is dropped; null unless retiring. */
  dropAt: Date | null;
  members: readonly TicketMember[];
  away: readonly TicketAway[];
};

/** How long an observation of a server's tickets counts: replicas probe each server every 5 minutes. */
export const ticketObservedForMs = 15 * 60_000;

/** UsedTickets is the last revision and epoch that an exposure had before its keys were no longer managed; 0 for none. */
export type UsedTickets = { revision: number; epoch: number };

/** newTicketRotation continues after what was used before: agents may still report that, and ignore an older epoch. */
export function newTicketRotation(used: UsedTickets, lifetimeMs: number, now: Date): TicketRotation {
  const [revision, epochs] = [used.revision + 1, [used.epoch + 1]];
  return {
    ...{ phase: "idle", epochs, revision, since: now, lifetimeMs, dropAt: null },
    ...{ members: [], away: [] },
  };
}

/** currentEpoch is that which servers encrypt with, once they have the newest revision. */
export function currentEpoch({ epochs: [current = 0] }: Pick<TicketRotation, "epochs">): number {
  return current;
}

/** startTicketRotation begins the first phase. The caller has checked that the rotation is idle. */
export function startTicketRotation(rotation: TicketRotation, next: number, now: Date): TicketRotation {
  const current = currentEpoch(rotation);
  if (rotation.phase !== "idle" || next <= current)
    throw new Error(`A rotation in phase ${rotation.phase} from epoch ${current} can't start epoch ${next}.`);
  return enter(rotation, "adding", [current, next], now);
}

/** setTicketLifetime changes how long clients may use tickets. Those that they have may be older than a shorter one. */
export function setTicketLifetime(rotation: TicketRotation, lifetimeMs: number): TicketRotation {
  const { dropAt, since } = rotation;
  if (dropAt === null) return { ...rotation, lifetimeMs };
  return { ...rotation, lifetimeMs, dropAt: new Date(Math.max(dropAt.getTime(), since.getTime() + lifetimeMs)) };
}

/**
 * acknowledge records what a member has applied. The newest revision has no effect while a server is seen to encrypt with
 * another epoch. One that is seen to encrypt with a retired epoch, as after a restart with its former files, restarts the
 * lifetime: its last tickets are new. Another revision than the newest one withdraws what was acknowledged: the agent can't
 * keep the server as it was.
 */
export function acknowledge(rotation: TicketRotation, by: Acknowledgement, now: Date): TicketRotation {
  const { phase, revision, epochs } = rotation;
  const known = rotation.members.find((each) => each.kind === by.kind && each.id === by.id);
  if (!known) return rotation;
  const current = currentEpoch(rotation);
  const { encrypts } = by;
  const isOld = encrypts !== null && encrypts.epoch !== current && epochs.includes(encrypts.epoch);
  if (isOld && phase === "retiring" && encrypts.seen > rotation.since) {
    const members = rotation.members.map((each) => (each === known ? { ...each, epoch: encrypts.epoch } : each));
    return enter({ ...rotation, members, dropAt: null }, "switching", epochs, now);
  }
  if (by.revision !== revision && known.revision === revision) return withdraw(rotation, known, by.revision, now);
  if (by.revision !== revision || known.revision === revision) return rotation;
  if (isOld && phase === "switching" && now.getTime() - encrypts.seen.getTime() < ticketObservedForMs) return rotation;
  const members = rotation.members.map((each) =>
    each === known ? { ...each, revision, epoch: current, outdatedSince: null } : each,
  );
  return stepTicketRotation({ ...rotation, members }, now);
}

function withdraw(rotation: TicketRotation, member: TicketMember, revision: number, now: Date): TicketRotation {
  // Until it has switched again, it may encrypt with the former epoch.
  const epoch = rotation.phase === "switching" ? Math.min(...rotation.epochs) : member.epoch;
  const lagging = { ...member, revision: Math.min(revision, rotation.revision - 1), epoch, outdatedSince: now };
  return { ...rotation, members: rotation.members.map((each) => (each === member ? lagging : each)) };
}

/** stepTicketRotation enters the next phase if all have acknowledged this one, and its time has passed. */
export function stepTicketRotation(rotation: TicketRotation, now: Date): TicketRotation {
  const { phase, epochs, lifetimeMs, dropAt } = rotation;
  const [current = 0, other = 0] = epochs;
  if (phase === "adding" && laggingMembers(rotation).length === 0)
    return enter(rotation, "switching", [other, current], now);
  // No new revision: members have these keys.
  if (phase === "switching" && laggingMembers(rotation).length === 0)
    return { ...rotation, phase: "retiring", since: now, dropAt: new Date(now.getTime() + lifetimeMs) };
  if (phase === "retiring" && dropAt !== null && now >= dropAt) {
    const away = rotation.away.filter((each) => each.newest > other);
    return enter({ ...rotation, away, dropAt: null }, "idle", [current], now);
  }
  return rotation;
}

/** enter begins a phase with a new revision, which all members have to acknowledge. */
export function enter(
  rotation: TicketRotation,
  phase: TicketPhase,
  epochs: readonly number[],
  now: Date,
): TicketRotation {
  return reviseTickets({ ...rotation, phase, epochs, since: now }, now);
}

export function reviseTickets(rotation: TicketRotation, now: Date): TicketRotation {
  const revision = rotation.revision + 1;
  const members = rotation.members.map((each) => ({ ...each, outdatedSince: each.outdatedSince ?? now }));
  return { ...rotation, revision, members };
}

/**
 * laggingMembers returns those that this phase waits for, or that still have another revision if it waits for none. Servers
 * can switch while a replica is away: it has the names.
 */
export function laggingMembers({ phase, revision, members }: TicketRotation): TicketMember[] {
  return members.filter((each) => each.revision !== revision && (phase !== "switching" || each.kind === "server"));
}
