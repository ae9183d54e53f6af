import { createHash } from "node:crypto";
import { DomainError } from "@fairlead/domain";
import { subscriberOf } from "@fairlead/domain/address";
import { takeAllowance } from "../access/take-allowance.sql.ts";
import type { OpenContext } from "./open-context.ts";

/** A person who types, several who share an address, a script that compares: not a machine that has nothing else to do. */
const perMinute = 120;
const burst = 60;

/** admitToCalculator has strangers ask no more often than would disturb those who work here; all of one address share. */
export async function admitToCalculator(ctx: OpenContext): Promise<void> {
  // Hashed, so that the table is no list of who was here.
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
    `Your address has asked for more than ${perMinute} estimates a minute; wait ${retryAfterSeconds} s, or ask with a key.`,
    { retryAfterSeconds },
  );
}
