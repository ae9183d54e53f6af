import { createHash } from "node:crypto";
import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { restoreAllowance, takeAllowance } from "../take-allowance.sql.ts";

// Ten wrong passwords for one email address, then one more every half minute. Three times as many from one network
// address, because a company may share it; that address may be forged, the email address can't.
const perEmail = { perMinute: 2, burst: 10 };
const perAddress = { perMinute: 30, burst: 30 };

/** takeSignInAttempt counts an attempt before the password is checked, or refuses with the time to wait. */
export async function takeSignInAttempt(
  db: Db,
  attempt: { email: string; address: string | null },
  now: Date,
): Promise<void> {
  if (attempt.address) await take(db, { name: nameOf("address", attempt.address), ...perAddress }, now);
  await take(db, { name: nameOf("email", attempt.email), ...perEmail }, now);
}

/** forgetSignInAttempts resets the count after a correct password. */
export async function forgetSignInAttempts(db: Db, email: string): Promise<void> {
  await restoreAllowance(db, nameOf("email", email));
}

async function take(db: Db, allowance: Parameters<typeof takeAllowance>[1], now: Date): Promise<void> {
  const taken = await takeAllowance(db, allowance, 1, now);
  if (taken.taken) return;
  const retryAfterSeconds = Math.ceil(taken.retryAfterMs / 1000);
  throw new DomainError("rate-limited", `Too many attempts. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

/** Hashed, so that the table does not list who tried to sign in, and so that no client can make its rows long. */
function nameOf(kind: "email" | "address", value: string): string {
  return `sign-in:${kind}:${createHash("sha256").update(value.trim().toLowerCase()).digest("hex").slice(0, 32)}`;
}
