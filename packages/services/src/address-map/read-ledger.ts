import type { Db } from "@fairlead/db";
import type { ServiceContext } from "../context.ts";
import { type MapRead, writeReads } from "./note-reads.sql.ts";

const hourMs = 3_600_000;
const mostKept = 20_000;

/**
 * MapReadLedger records who reads address maps. The first read of an hour is written before it is answered, so that no
 * read is untraced; further ones are counted and written together every few seconds.
 */
export class MapReadLedger {
  readonly #flushMs: number;
  /** The reads of this hour, written and not yet written. */
  #kept = new Map<string, MapRead>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ flushMs = 5_000 }: { flushMs?: number } = {}) {
    this.#flushMs = flushMs;
  }

  async note(ctx: ServiceContext, exposureIds: readonly string[], format: string): Promise<void> {
    const fresh = new Map<string, MapRead>();
    for (const exposureId of new Set(exposureIds)) {
      const read = readOf(ctx, exposureId, format);
      const key = keyOf(read);
      const kept = this.#kept.get(key);
      if (kept) count(kept, ctx.now);
      else fresh.set(key, read);
    }
    if (fresh.size < exposureIds.length) this.#schedule(ctx.db);
    if (fresh.size === 0) return;
    await writeReads(ctx.db, [...fresh.values()]);
    this.#forgetOld(ctx.now);
    for (const [key, read] of fresh) if (!this.#kept.has(key)) this.#kept.set(key, { ...read, count: 0 });
  }

  /** flush writes the counted reads. After a failure they are kept for the next time. */
  async flush(db: Db): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = [...this.#kept.values()].filter((each) => each.count > 0);
    if (due.length === 0) return;
    const written = due.map((each) => ({ ...each }));
    for (const each of due) each.count = 0;
    try {
      await writeReads(db, written);
    } catch (error) {
      for (const [i, each] of due.entries()) each.count += written[i]?.count ?? 0;
      throw error;
    }
  }

  #schedule(db: Db): void {
    this.#timer ??= setTimeout(() => {
      // The database is unreachable: the counts are kept.
      void this.flush(db).catch(() => this.#schedule(db));
    }, this.#flushMs).unref();
  }

  #forgetOld(now: Date): void {
    if (this.#kept.size < mostKept) return;
    const hour = hourOf(now).getTime();
    for (const [key, each] of this.#kept) if (each.hour.getTime() < hour && each.count === 0) this.#kept.delete(key);
    // More readers than that in one hour: their further reads are written one by one.
    for (const [key, each] of this.#kept) {
      if (this.#kept.size < mostKept) return;
      if (each.count === 0) this.#kept.delete(key);
    }
  }
}

function readOf({ actor, clientAddress, now }: ServiceContext, exposureId: string, format: string): MapRead {
  const actorOf = { actorKind: actor.kind, actorId: actor.id, actorName: actor.name };
  return {
    exposureId,
    hour: hourOf(now),
    ...actorOf,
    address: clientAddress ?? "",
    format,
    count: 1,
    firstAt: now,
    lastAt: now,
  };
}

function count(kept: MapRead, now: Date): void {
  if (kept.count === 0) kept.firstAt = now;
  kept.count += 1;
  kept.lastAt = now;
}

function keyOf({ exposureId, hour, actorKind, actorId, address, format }: MapRead): string {
  return [exposureId, hour.getTime(), actorKind, actorId, address, format].join(" ");
}

function hourOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs);
}

const processLedger = new MapReadLedger();

/** noteMapReads records that the actor read something of these exposures' maps. */
export async function noteMapReads(ctx: ServiceContext, exposureIds: readonly string[], format: string): Promise<void> {
  if (exposureIds.length > 0) await processLedger.note(ctx, exposureIds, format);
}

/** flushMapReads writes the counted reads before a process stops. */
export async function flushMapReads(db: Db): Promise<void> {
  await processLedger.flush(db);
}
