import { inTransaction } from "@fairlead/db";
import { type BackendTimes, backendTimes } from "@fairlead/domain";
import type { ExposureDriver } from "@fairlead/drivers";
import { markCloudRoute } from "@fairlead/services";
import { againAfterMs, done, gone, marginMs, type Outcome, untilMs } from "../../../outcome.ts";
import type { Presence } from "../../../presence.ts";
import type { ReconcileContext } from "../../../reconciler.ts";
import { lockExposure } from "../intent.sql.ts";
import { type Decision, decide } from "./decide.ts";
import { freeCarriedAddresses } from "./free-addresses.ts";
import { recordCarried } from "./record-carried.ts";

export type CarryOptions = { presence: Pick<Presence, "lastsMs">; times?: BackendTimes | undefined };

/**
 * carry has our own agents carry an exposure. PostgreSQL is the wire, as it is for nodes: what is decided here is compiled
 * into the configs of the agents' nodes, and what agents report is read back. Two transactions, for traffic waits for the
 * first and only people for the second.
 */
export async function carry(
  id: string,
  ctx: ReconcileContext,
  driver: ExposureDriver | null,
  { presence, times = backendTimes }: CarryOptions,
): Promise<Outcome> {
  const decided = await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return gone;
    const now = ctx.now();
    const isAttached = driver !== null;
    const decision = await decide(tx, id, { now, times, presentForMs: presence.lastsMs(now), isAttached });
    await ctx.passed("deciding");
    return decision;
  });
  await ctx.passed("decided");
  if (!("placed" in decided)) return decided;
  const outcome = await inTransaction(ctx.db, async (tx) => {
    if (!(await lockExposure(tx, id, ctx))) return gone;
    const now = ctx.now();
    await recordCarried(tx, decided, now);
    const releasing = await freeCarriedAddresses(tx, decided.placed, presence.lastsMs(now));
    await markCloudRoute(tx, decided.placed.cluster.id, { patient: true });
    await ctx.passed("recording");
    return whenToLook(decided, releasing, now);
  });
  await ctx.passed("recorded");
  return outcome;
}

const releasingMs = 2_000;

function whenToLook({ nextAt, judgeInMs }: Decision, releasing: number, now: Date): Outcome {
  const waits = [
    ...(nextAt ? [untilMs(nextAt, now)] : []),
    ...(judgeInMs === null ? [] : [judgeInMs + marginMs]),
    ...(releasing > 0 ? [releasingMs] : []),
  ];
  return waits.length > 0 ? againAfterMs(Math.min(...waits)) : done;
}
