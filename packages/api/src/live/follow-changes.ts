import { DomainError } from "@fairlead/domain";
import { may, type Permission } from "@fairlead/domain/access";
import type { SubjectKind } from "@fairlead/domain/event";
import {
  authorize,
  describeOutage,
  readFeed,
  recheckSession,
  type ServiceContext,
  type SessionNews,
} from "@fairlead/services";
import { toTrpcError } from "../translate-error.ts";
import { formatCursor, parseCursor } from "./cursor.ts";
import { distinct, type FeedHub } from "./feed-hub.ts";
import type { LivePart } from "./message.ts";
import type { Batch } from "./subscriber.ts";

export type FollowOptions = {
  /** The cursor of the last part that arrived; absent for a first stream. */
  after?: string | undefined;
  signal: AbortSignal;
  recheckMs?: number;
  now?: () => Date;
};

const missedLimit = 1_000;

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
  organization: null,
};

/**
 * followChanges is a live stream: what was missed since the cursor, then each change as it happens. Nothing is lost
 * between two streams; a change may be delivered twice. The actor is checked again every recheckMs, because a stream
 * can outlive the session or role it was opened with.
 */
export async function* followChanges(
  ctx: ServiceContext,
  hub: FeedHub,
  options: FollowOptions,
): AsyncGenerator<LivePart, void> {
  authorize(ctx, "event:read");
  const now = options.now ?? (() => new Date());
  const recheckMs = options.recheckMs ?? 30_000;
  const { subscriber, settledBefore } = await hub.subscribe(ctx.organizationId, ctx.actor.id);
  try {
    const start = await readMissed(ctx, options.after, settledBefore, now());
    // Until the missed changes are delivered, a stream cut again must resume where this one did.
    let cursor =
      options.after !== undefined && !start.isLost ? options.after : formatCursor(start.settledBefore, now());
    yield { cursor, message: { type: start.isLost ? "reset" : "ready", now: now() } };
    let batch: Batch | undefined = start;
    let checkedAt = Date.now();
    while (true) {
      if (batch) {
        yield* messagesOf(ctx, batch, now());
        cursor = formatCursor(batch.settledBefore, now());
      }
      batch = undefined;
      const news = await subscriber.next(Math.max(0, checkedAt + recheckMs - Date.now()), options.signal);
      if (news.kind === "closed") break;
      if (news.kind === "overflow") yield { cursor, message: { type: "reset", now: now() } };
      if (news.kind === "batch") batch = news.batch;
      if (Date.now() - checkedAt < recheckMs) continue;
      checkedAt = Date.now();
      const session = await recheck(ctx, now());
      if (session === "none") continue;
      yield { cursor, message: { type: session === "changed" ? "session-changed" : "session-expired" } };
      return;
    }
  } finally {
    hub.unsubscribe(subscriber);
  }
  // The process is stopping. Both transports treat this as a cut, and their clients reconnect elsewhere.
  if (!options.signal.aborted) throw toTrpcError(new DomainError("unavailable", "The server is restarting."));
}

/**
 * While the database is unreachable nothing can be checked, and the stream delivers nothing either: check again later.
 */
async function recheck(ctx: ServiceContext, now: Date): Promise<SessionNews> {
  try {
    return await recheckSession(ctx.db, ctx.actor, ctx.organizationId, now);
  } catch (error) {
    if (describeOutage(error)) return "none";
    throw error;
  }
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
