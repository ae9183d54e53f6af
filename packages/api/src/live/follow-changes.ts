import { DomainError } from "@fairlead/domain";
import { may, type Permission } from "@fairlead/domain/access";
import type { SubjectKind } from "@fairlead/domain/event";
import { authorize, readFeed, type ServiceContext } from "@fairlead/services";
import { toTrpcError } from "../translate-error.ts";
import type { ActorWatch } from "./actor-watch.ts";
import { formatCursor, parseCursor } from "./cursor.ts";
import { distinct, type FeedHub } from "./feed-hub.ts";
import type { LivePart } from "./message.ts";
import type { Batch } from "./subscriber.ts";

export type FollowOptions = {
  /** The cursor of the last part that arrived; absent for a first stream. */
  after?: string | undefined;
  signal: AbortSignal;
  /** Ends the stream of an actor who is no longer accepted. */
  actors: ActorWatch;
  now?: () => Date;
};

const missedLimit = 1_000;
/** A stream without changes waits; its pings are sent by the transport. */
const idleMs = 30_000;

/** Which permission allows reading the objects of a kind. A pointer to anything else is left out. */
const readPermissions: Record<SubjectKind, Permission | null> = {
  cluster: "cluster:read",
  node: "node:read",
  agent: "node:read",
  "enrollment-token": "node:read",
  experiment: "cluster:read",
  exposure: "exposure:read",
  "load-balancer": "exposure:read",
  "address-pool": "address-pool:read",
  member: "member:read",
  invitation: "member:read",
  "api-key": "key:read",
  "identity-provider": "identity-provider:read",
  "price-refresh": "price:read",
  "negotiated-price": "price-book:read",
  "own-machine": "price-book:read",
  "currency-rate": "price-book:read",
  budget: "budget:read",
  organization: null,
};

/**
 * followChanges is a live stream: what was missed since the cursor, then each change as it happens. Nothing is lost
 * between two streams; a change may be delivered twice.
 */
export async function* followChanges(
  ctx: ServiceContext,
  hub: FeedHub,
  options: FollowOptions,
): AsyncGenerator<LivePart, void> {
  authorize(ctx, "event:read");
  const now = options.now ?? (() => new Date());
  const { subscriber, settledBefore } = await hub.subscribe(ctx.organizationId, ctx.actor.id);
  const watched = options.actors.watch(ctx);
  const signal = AbortSignal.any([options.signal, watched.signal]);
  try {
    const start = await readMissed(ctx, options.after, settledBefore, now());
    // Until the missed changes are delivered, a stream cut again must resume where this one did.
    let cursor =
      options.after !== undefined && !start.isLost ? options.after : formatCursor(start.settledBefore, now());
    yield { cursor, message: { type: start.isLost ? "reset" : "ready", now: now() } };
    let batch: Batch | undefined = start;
    while (true) {
      if (batch) {
        yield* messagesOf(ctx, batch, now());
        cursor = formatCursor(batch.settledBefore, now());
      }
      batch = undefined;
      const news = await subscriber.next(idleMs, signal);
      if (news.kind === "closed") break;
      if (news.kind === "overflow") yield { cursor, message: { type: "reset", now: now() } };
      if (news.kind === "batch") batch = news.batch;
    }
    if (watched.news !== "none") {
      yield { cursor, message: { type: watched.news === "changed" ? "session-changed" : "session-expired" } };
      return;
    }
  } finally {
    watched.stop();
    hub.unsubscribe(subscriber);
  }
  // The process is stopping. Both transports treat this as a cut, and their clients reconnect elsewhere.
  if (!options.signal.aborted) throw toTrpcError(new DomainError("unavailable", "The server is restarting."));
}

/**
 * A cut may fall between any two parts, so each carries the cursor up to the next one: however often a stream is cut,
 * it makes progress. No cursor may pass settledBefore, because changes of earlier transactions can still arrive.
 */
function* messagesOf(ctx: ServiceContext, { entries, settledBefore }: Batch, now: Date): Generator<LivePart> {
  const shown = entries.filter(({ subjectKind }) => maySee(ctx, subjectKind));
  for (const [i, { transaction: _, ...entry }] of shown.entries()) {
    const next = shown[i + 1]?.transaction ?? settledBefore;
    const cursor = formatCursor(next < settledBefore ? next : settledBefore, now);
    yield { cursor, message: { type: "change", ...entry } };
  }
}

function maySee(ctx: ServiceContext, kind: SubjectKind): boolean {
  const permission = readPermissions[kind];
  return permission === null || may(ctx.actor, permission);
}

async function readMissed(
  ctx: ServiceContext,
  after: string | undefined,
  settledBefore: bigint,
  now: Date,
): Promise<Batch & { isLost: boolean }> {
  if (after === undefined) return { entries: [], settledBefore, isLost: false };
  const since = parseCursor(after, now);
  const lost = { entries: [], settledBefore, isLost: true };
  if (since === null) return lost;
  const read = await readFeed(ctx.db, { since, organizationId: ctx.organizationId, limit: missedLimit });
  // A cursor ahead of the database is from another database, or from before a restore.
  if (read.isCut || since > read.horizon) return lost;
  return { entries: distinct(read.rows), settledBefore, isLost: false };
}
