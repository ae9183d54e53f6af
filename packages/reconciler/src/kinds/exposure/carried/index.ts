import { setTimeout } from "node:timers/promises";
import { inTransaction, type Tx } from "@fairlead/db";
import type { ClusterKind } from "@fairlead/domain/cluster";
import { type DesiredExposure, namedBalancerOf } from "@fairlead/domain/exposure";
import { type BackendTimes, backendTimes } from "@fairlead/domain/load-balancer";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import type { ExposureDriver } from "@fairlead/drivers";
import { markCloudRoute, type SecretBox } from "@fairlead/services";
import { againAfterMs, done, gone, marginMs, type Outcome, untilMs } from "../../../outcome.ts";
import type { Presence } from "../../../presence.ts";
import type { ReconcileContext } from "../../../reconciler.ts";
import { lockExposure } from "../intent.sql.ts";
import { setPodTickets } from "../pod-tickets/index.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { dropLeft } from "./drop-left.ts";
import { freeCarriedAddresses } from "./free-addresses.ts";
import { lookOutside } from "./look-outside.ts";
import { recordCarried } from "./record-carried.ts";

/** How long recording waits for the nodes' passes, which share the database and a thread with it. */
const trafficFirstMs = 20;

export type CarryOptions = {
  presence: Pick<Presence, "lastsMs">;
  times?: BackendTimes | undefined;
  /** Seals the secrets of managed ticket keys. */
  keysBox: SecretBox;
};

/** unremoved is why the Secret with its ticket keys is still there, after it is not wanted any more; or empty. */
type Of = { isPaused: boolean; unremoved: string; kind: ClusterKind };

/**
 * carry lets our own agents carry an exposure. PostgreSQL is the channel, as it is for nodes: decisions are compiled
 * into the configs of the agents' nodes, and their reports are read back. It uses two transactions, because traffic
 * waits for the first one and only users wait for the second.
 */
export async function carry(
  id: string,
  ctx: ReconcileContext,
  driver: ExposureDriver | null,
  { presence, times = backendTimes, keysBox, isPaused, unremoved, kind }: CarryOptions & Of,
): Promise<Outcome> {
  const looked = await lookOutside(id, ctx, driver, { isPaused, kind });
  if (!looked) return gone;
  const outside = unremoved === "" ? looked : { ...looked, isClear: false, unseen: looked.unseen || unremoved };
  const decided = await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return gone;
    const now = ctx.now();
    const decision = await decide(tx, id, { now, times, presentForMs: presence.lastsMs(now), outside, keysBox });
    await ctx.passed("deciding");
    return decision;
  });
  await ctx.passed("decided");
  if (!("placed" in decided)) return decided;
  const secretInMs = decided.isPaused ? null : await setPodTickets(id, ctx, { driver, box: keysBox });
  await ctx.passed("gave pods their ticket keys");
  if (decided.isNews) await setTimeout(trafficFirstMs, undefined, { signal: ctx.signal });
  const outcome = await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return gone;
    // It was paused or resumed meanwhile.
    if ((await isPausedNow(tx, id)) !== decided.isPaused) return againAfterMs(0);
    const now = ctx.now();
    const presentForMs = presence.lastsMs(now);
    await recordCarried(tx, decided, presentForMs, now);
    if (decided.isPaused) return done;
    const leaving = await dropLeft(tx, decided.placed, presentForMs, now);
    const releasing = await freeCarriedAddresses(tx, decided.placed, presentForMs);
    await markCloudRoute(tx, decided.placed.cluster.id, { patient: true });
    await ctx.passed("recording");
    return whenToLook(decided, leaving + releasing, { now, secretInMs });
  });
  await ctx.passed("recorded");
  return outcome;
}

async function isPausedNow(tx: Tx, id: string): Promise<boolean> {
  const { pausedAt } = await tx.exposure.findUniqueOrThrow({ where: { id }, select: { pausedAt: true } });
  return pausedAt !== null;
}

const releasingMs = 2_000;
/** What a balancer lacks, such as an address, becomes available elsewhere, so it is polled. */
const lackingMs = 30_000;

function whenToLook(
  { placed, nextAt, judgeInMs, ticketsInMs, single, unseen }: Decision,
  releasing: number,
  { now, secretInMs }: { now: Date; secretInMs: number | null },
): Outcome {
  const isNamed = single !== null || namedBalancerOf(placed.strategy) !== null;
  const waits = [
    ...(nextAt ? [untilMs(nextAt, now)] : []),
    ...(secretInMs === null ? [] : [secretInMs]),
    ...(judgeInMs === null ? [] : [judgeInMs + marginMs]),
    // Later ones are found by the passes at intervals.
    ...(ticketsInMs !== null && ticketsInMs < exposureLookedAtEveryMs ? [ticketsInMs + marginMs] : []),
    ...(releasing > 0 ? [releasingMs] : []),
    ...(single?.isFresh && isUnplaced(placed) ? [0] : []),
    ...(single && single.nextInMs !== null ? [single.nextInMs] : []),
    ...((single?.problems.size ?? 0) > 0 || (isNamed && unseen !== "") ? [lackingMs] : []),
  ];
  return waits.length > 0 ? againAfterMs(Math.min(...waits)) : done;
}

function isUnplaced({ loadBalancers }: DesiredExposure): boolean {
  return loadBalancers.some((each) => !each.deletedAt && each.replicas.some((replica) => replica.agentId === null));
}
