import { createHash } from "node:crypto";
import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { subscriberOf } from "@fairlead/domain/address";
import { type Allowance, restoreAllowance, takeAllowance } from "../take-allowance.sql.ts";

/** An attempt to sign in, and where it comes from. All unknown addresses count as one. */
export type SignInAttempt = {
  email: string;
  address: string | null;
  /** The browser or session, if this very user has signed in there before; absent or null if not. */
  knownClient?: string | null;
};

// Ten wrong passwords for one email address from one network address, then one more every half minute. Three times as many
// from one network address, because a company may share it. Ten times as many for one email address from everywhere, also
// later on: otherwise, an anonymous client with one network address could lock out a user whose email address it knows.
const perPair = { perMinute: 2, burst: 10 };
const perAddress = { perMinute: 30, burst: 30 };
const perEmail = { perMinute: 20, burst: 100 };

/** takeSignInAttempt counts an attempt before the password is checked, or refuses with the time to wait. */
export async function takeSignInAttempt(db: Db, attempt: SignInAttempt, now: Date): Promise<void> {
  if (attempt.knownClient) {
    // A known client can only try the password of its own user. So no other client may use up its attempts, whether they
    // have the same email address or the same network address. The total limits the tries of many stolen cookies.
    await take(db, { name: pairOf(attempt), ...perPair }, now);
    const total = { name: nameOf("known", attempt.email), ...perEmail };
    if ((await takeAllowance(db, total, 1, now)).taken) return;
    // Stolen cookies used up the total: the user's own browser still has the attempts of any other.
    await takeSignInAttempt(db, { ...attempt, knownClient: null }, now);
    return;
  }
  if (attempt.address) await take(db, { name: nameOf("address", subscriberOf(attempt.address)), ...perAddress }, now);
  // Before the total, so that refused attempts from one network address don't use it up.
  await take(db, { name: pairOf(attempt), ...perPair }, now);
  await take(db, { name: nameOf("email", attempt.email), ...perEmail }, now);
}

/** forgetSignInAttempts resets the count of an origin after a correct password. The total stays: others may have used it. */
export async function forgetSignInAttempts(db: Db, attempt: SignInAttempt): Promise<void> {
  await restoreAllowance(db, pairOf(attempt));
}

async function take(db: Db, allowance: Allowance, now: Date): Promise<void> {
  const taken = await takeAllowance(db, allowance, 1, now);
  if (taken.taken) return;
  const retryAfterSeconds = Math.ceil(taken.retryAfterMs / 1000);
  throw new DomainError("rate-limited", `Too many attempts. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

function pairOf({ email, address, knownClient }: SignInAttempt): string {
  const origin = knownClient ? `known ${knownClient}` : address ? subscriberOf(address) : "unknown";
  return nameOf("pair", `${origin} ${email.trim()}`);
}

/** Hashed, so that the table does not list who tried to sign in, and so that no client can make its rows long. */
function nameOf(kind: "address" | "pair" | "email" | "known", value: string): string {
  return `sign-in:${kind}:${createHash("sha256").update(value.trim().toLowerCase()).digest("hex").slice(0, 32)}`;
}
