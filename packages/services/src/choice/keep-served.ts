import type { Db } from "@fairlead/db";
import type { ServiceContext } from "../context.ts";
import { type ServedRow, selectServed } from "./select-availability.sql.ts";

/** Thirty days change little in a minute, and their events are many. */
const keptMs = 60_000;
const mostKept = 64;

type Kept = { at: Date; served: Promise<ServedRow[]> };
const kept = new WeakMap<Db, Map<string, Kept>>();

/** keepServed returns for how long exposures served, at most a minute old, and when that was calculated. */
export async function keepServed({
  db,
  organizationId,
  now,
}: Pick<ServiceContext, "db" | "organizationId" | "now">): Promise<{ at: Date; served: ServedRow[] }> {
  const of = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, of);
  const before = of.get(organizationId);
  const ageMs = before ? now.getTime() - before.at.getTime() : Number.POSITIVE_INFINITY;
  if (before && ageMs >= 0 && ageMs < keptMs) return { at: before.at, served: await before.served };
  const [oldest] = of.keys();
  if (oldest !== undefined && of.size >= mostKept) of.delete(oldest);
  const served = selectServed(db, organizationId, now);
  of.delete(organizationId);
  of.set(organizationId, { at: now, served });
  // A failed read is not kept.
  served.catch(() => of.delete(organizationId));
  return { at: now, served: await served };
}
