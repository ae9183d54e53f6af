import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { takeAllowance } from "../take-allowance.sql.ts";

type Share = { left: number; until: number; refusedUntil: number; leasing: Promise<void> | null };
type LimitedKey = { id: string; requestsPerMinute: number };

export type Limit = {
  /** The prefix of its allowances' names. */
  prefix: string;
  /** The error text, before the time to retry. */
  describe: (requestsPerMinute: number) => string;
};

const ofKeys: Limit = {
  prefix: "api-key:",
  describe: (requestsPerMinute) => `This key has reached its limit of ${requestsPerMinute} requests a minute.`,
};

const shareLastsMs = 60_000;
const maxShares = 10_000;

/**
 * KeyLimiter limits the requests per minute of every key, across all web processes. The allowance is in PostgreSQL; a
 * process takes a twentieth of a minute's worth at a time and serves requests from that share, so a busy key costs one
 * small write in thirty requests instead of one in each, and a refused one costs none.
 */
export class KeyLimiter {
  readonly #shares = new Map<string, Share>();
  readonly #limit: Limit;

  constructor(limit: Limit = ofKeys) {
    this.#limit = limit;
  }

  /** take counts one request, or throws with the time to wait. */
  async take(db: Db, key: LimitedKey, now: Date): Promise<void> {
    const at = now.getTime();
    const share = this.#shareOf(key.id, at);
    while (share.left === 0 || share.until <= at) {
      if (share.refusedUntil > at) throw tooMany(this.#limit.describe(key.requestsPerMinute), share.refusedUntil - at);
      // Shared by all waiting requests: if each took a share, a few of them would use up the minute.
      share.leasing ??= lease(db, `${this.#limit.prefix}${key.id}`, key.requestsPerMinute, share, now).finally(() => {
        share.leasing = null;
      });
      await share.leasing;
    }
    share.left -= 1;
  }

  #shareOf(id: string, at: number): Share {
    const known = this.#shares.get(id);
    if (known) return known;
    if (this.#shares.size >= maxShares)
      for (const [each, old] of this.#shares) if (old.until < at && old.refusedUntil < at) this.#shares.delete(each);
    if (this.#shares.size >= maxShares) this.#shares.clear();
    const share = { left: 0, until: 0, refusedUntil: 0, leasing: null };
    this.#shares.set(id, share);
    return share;
  }
}

/** lease fills a share from the key's allowance, or stores in it how long nothing is left. */
async function lease(db: Db, name: string, perMinute: number, share: Share, now: Date): Promise<void> {
  const at = now.getTime();
  const allowance = { name, perMinute, burst: perMinute };
  const many = Math.max(1, Math.floor(perMinute / 20));
  const fill = (count: number) => {
    share.left = (share.until > at ? share.left : 0) + count;
    share.until = at + shareLastsMs;
  };
  if (many > 1 && (await takeAllowance(db, allowance, many, now)).taken) return fill(many);
  const one = await takeAllowance(db, allowance, 1, now);
  if (one.taken) fill(1);
  else share.refusedUntil = at + one.retryAfterMs;
}

function tooMany(description: string, waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new DomainError("rate-limited", `${description} Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
