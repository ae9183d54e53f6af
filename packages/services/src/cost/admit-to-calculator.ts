import { createHash } from "node:crypto";
import { DomainError } from "@fairlead/domain";
import { subscriberOf } from "@fairlead/domain/address";
import { takeAllowance } from "../access/take-allowance.sql.ts";
import type { OpenContext } from "./open-context.ts";

/**
 * Enough for a user who types, several who share an address, or a script that compares, but not for a load generator.
 */
const perMinute = 120;
const burst = 60;

/**
 * admitToCalculator limits anonymous clients, so that they don't slow down members; all behind one address share the
 * limit.
 */
export async function admitToCalculator(ctx: OpenContext): Promise<void> {
  // Hashed, so that the table does not list visitors.
  const address = createHash("sha256")
    .update(subscriberOf(ctx.clientAddress ?? "unknown"))
    .digest("hex")
    .slice(0, 32);
  const name = `calculator:${address}`;
  const taken = await takeAllowance(ctx.db, { name, perMinute, burst }, 1, ctx.now);
  if (taken.taken) return;
  const retryAfterSeconds = Math.ceil(taken.retryAfterMs / 1_000);
  throw new DomainError(
    "rate-limited",
    `Your address has requested more than ${perMinute} estimates a minute; wait ${retryAfterSeconds} s, or use an API key.`,
    { retryAfterSeconds },
  );
}
