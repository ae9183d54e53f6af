import { isDeepStrictEqual } from "node:util";
import type { Tx } from "@fairlead/db";
import type { DesiredExposure, TicketKeys, TicketSoftware } from "@fairlead/domain/exposure";
import {
  acknowledge,
  currentEpoch,
  describeTicketStep,
  isTicketRotationDue,
  laggingMembers,
  newTicketRotation,
  podTicketNames,
  setTicketLifetime,
  setTicketMembers,
  startTicketRotation,
  stepTicketRotation,
  type TicketRotation,
  type UsedTickets,
} from "@fairlead/domain/load-balancer";
import {
  appendFeed,
  openTicketSecret,
  recordEvent,
  type SecretBox,
  sealTicketSecret,
  ticketName,
} from "@fairlead/services";
import { isForPods } from "../../ticket-keys.sql.ts";
import { findPodTicketSecret } from "../pod-tickets/pod-ticket-secret.sql.ts";
import { selectTicketReports, type TicketReports } from "./ticket-reports.sql.ts";
import {
  dropTicketRotation,
  findTicketRotation,
  findUsedTickets,
  type StoredRotation,
  saveTicketRotation,
} from "./ticket-rotation.sql.ts";

/** How often acknowledgements by observed names are looked for, which no report announces. */
const observeEveryMs = 15_000;
const hourMs = 3_600_000;

/**
 * setTicketKeys continues the rotation of an exposure's managed ticket keys by what agents report. It is stored in the
 * transaction that marks the agents' configs, so before any agent gets the keys. It returns when to continue, or null.
 */
export async function setTicketKeys(
  tx: Tx,
  exposure: DesiredExposure,
  { box, now }: { box: SecretBox; now: Date },
): Promise<number | null> {
  const { id, strategy } = exposure;
  if (strategy.type !== "session" || strategy.names !== "managed" || !strategy.ticketKeys) {
    await dropTicketRotation(tx, id);
    return null;
  }
  const stored = await findTicketRotation(tx, id);
  const lifetimeMs = strategy.ticketHours * hourMs;
  const before = stored ?? firstRotation(await findUsedTickets(tx, id), lifetimeMs, { box, now });
  const names = namesOf(before.secrets, box);
  const reports = await selectTicketReports(tx, id);
  const keys = strategy.ticketKeys;
  const secret = isForPods(keys) ? await findPodTicketSecret(tx, id) : null;
  const seenIn = isForPods(keys) ? { software: keys.software, revision: secret?.revision ?? 0 } : null;
  const observed = observe(setTicketLifetime(before.rotation, lifetimeMs), reports, { names, pods: seenIn, now });
  const after = startIfDue({ ...before, rotation: observed }, keys, { box, now });
  if (!stored || !isDeepStrictEqual(after, before)) {
    const current = namesOf(after.secrets, box);
    const [own] = isForPods(keys) ? podTicketNames(after.rotation, keys.software) : [];
    const nameOf = (server: string) => current(server, own ?? { epoch: currentEpoch(after.rotation) });
    await saveTicketRotation(tx, id, after, { nameOf, now });
    await announce(tx, exposure, stored ? before.rotation : null, after.rotation, now);
  }
  return whenToContinue(after.rotation, keys, now);
}

function firstRotation(
  used: UsedTickets,
  lifetimeMs: number,
  { box, now }: { box: SecretBox; now: Date },
): StoredRotation {
  const rotation = newTicketRotation(used, lifetimeMs, now);
  return { rotation, secrets: new Map([[currentEpoch(rotation), sealTicketSecret(box)]]), requestedAt: null };
}

type NameOf = (server: string, of: { epoch: number; isMark?: boolean }) => string;

/** The software of servers in pods, and the revision that their Secret has. */
type Pods = { software: TicketSoftware; revision: number };

function namesOf(sealed: ReadonlyMap<number, string>, box: SecretBox): NameOf {
  const secrets = new Map([...sealed].map(([epoch, text]) => [epoch, openTicketSecret(box, text)]));
  return (server, { epoch, isMark = false }) => {
    const secret = secrets.get(epoch);
    return secret ? ticketName(secret, server, { isMark }).toString("hex") : "";
  };
}

type Seeing = { names: NameOf; pods: Pods | null; now: Date };

/** observe sets the members, and applies what they report. */
function observe(rotation: TicketRotation, reports: TicketReports, { names, pods, now }: Seeing): TicketRotation {
  const { members, revisions, seen } = reports;
  let next = setTicketMembers(rotation, members, now);
  for (const { kind, id } of next.members) {
    const found = kind === "server" ? (seen.get(id) ?? []) : [];
    const own = pods ? podTicketNames(next, pods.software) : rotation.epochs.map((epoch) => ({ epoch }));
    const known = found.flatMap(({ name, seen }) => {
      const of = own.find((each) => names(id, each) === name);
      return of ? [{ epoch: of.epoch, seen }] : [];
    });
    // Of two names at once, the former one counts: a part of the server still uses it.
    const [encrypts = null] = known.sort((a, b) => a.epoch - b.epoch);
    const wanted = names(id, own[0] ?? { epoch: 0 });
    const reported = revisions.get(id) ?? 0;
    const revision = pods && kind === "server" ? shownRevision(next, pods, { id, found, wanted }) : reported;
    next = acknowledge(next, { kind, id, revision, encrypts }, now);
  }
  return stepTicketRotation(next, now);
}

type Shown = { id: string; found: readonly { name: string }[]; wanted: string };

/**
 * shownRevision is what a pod has read, as its last tickets show: all have to start with the name of this phase. Without tickets
 * it is what it was.
 */
function shownRevision({ revision, members }: TicketRotation, pods: Pods, { id, found, wanted }: Shown): number {
  if (found.length === 0) return members.find((each) => each.kind === "server" && each.id === id)?.revision ?? 0;
  return pods.revision >= revision && found.every((each) => each.name === wanted) ? revision : 0;
}

function startIfDue(
  state: StoredRotation,
  { rotateHours }: TicketKeys,
  { box, now }: { box: SecretBox; now: Date },
): StoredRotation {
  const { rotation, secrets, requestedAt } = state;
  if (rotation.phase !== "idle") return { ...state, requestedAt: null };
  if (requestedAt === null && !isTicketRotationDue(rotation, rotateHours * hourMs, now)) return state;
  const next = currentEpoch(rotation) + 1;
  return {
    rotation: startTicketRotation(rotation, next, now),
    secrets: new Map([...secrets, [next, sealTicketSecret(box)]]),
    requestedAt: null,
  };
}

async function announce(
  tx: Tx,
  { id, name, organizationId, cluster }: DesiredExposure,
  before: TicketRotation | null,
  after: TicketRotation,
  now: Date,
): Promise<void> {
  const subject = { subjectKind: "exposure", subjectId: id, clusterId: cluster.id } as const;
  const step = describeTicketStep(before, after);
  if (step) await recordEvent(tx, organizationId, { at: now, ...subject, subjectName: name, ...step });
  else await appendFeed(tx, organizationId, [subject]);
}

function whenToContinue(rotation: TicketRotation, { rotateHours, ...keys }: TicketKeys, now: Date): number | null {
  const { phase, dropAt, since } = rotation;
  if (isForPods(keys) && laggingMembers(rotation).length > 0) return observeEveryMs;
  switch (phase) {
    case "adding":
    case "switching":
      return observeEveryMs;
    case "retiring":
      return dropAt === null ? null : Math.max(0, dropAt.getTime() - now.getTime());
    case "idle":
      return Math.max(observeEveryMs, since.getTime() + rotateHours * hourMs - now.getTime());
    default:
      return phase satisfies never;
  }
}
