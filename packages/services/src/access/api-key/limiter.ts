import type { Db } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import { takeAllowance } from "../take-allowance.sql.ts";

type Share = { left: number; until: number; refusedUntil: number };

const shareLastsMs = 60_000;
const maxShares = 10_000;

/**
 * KeyLimiter holds every key to its requests per minute, over all web processes together. The allowance is in
 * PostgreSQL; a process takes a twentieth of a minute's worth at a time and serves requests from that share, so a busy
 * key costs one small write in thirty requests instead of one in each, and a refused one costs none.
 */
export class KeyLimiter {
  readonly #shares = new Map<string, Share>();

  /** take counts one request, or throws with the time to wait.. */
  async take(db: Db, key: { id: string; requestsPerMinute: number }, now: Date): Promise<void> {
    const at = now.getTime();
    const share = this.#shares.get(key.id);
    if (share && share.refusedUntil > at) throw tooMany(key.requestsPerMinute, share.refusedUntil - at);
    if (share && share.left > 0 && share.until > at) {
      share.left -= 1;
      return;
    }
    const taken = await this.#lease(db, key, now);
    this.#keep(key.id, { left: taken - 1, until: at + shareLastsMs, refusedUntil: 0 }, at);
  }

  async #lease(db: Db, key: { id: string; requestsPerMinute: number }, now: Date): Promise<number> {
    const perMinute = key.requestsPerMinute;
    const allowance = { name: `api-key:${key.id}`, perMinute, burst: perMinute };
    const many = Math.max(1, Math.floor(perMinute / 20));
    if (many > 1 && (await takeAllowance(db, allowance, many, now)).taken) return many;
    const one = await takeAllowance(db, allowance, 1, now);
    if (one.taken) return 1;
    const at = now.getTime();
    this.#keep(key.id, { left: 0, until: 0, refusedUntil: at + one.retryAfterMs }, at);
    throw tooMany(perMinute, one.retryAfterMs);
  }

  #keep(id: string, share: Share, at: number): void {
    if (this.#shares.size >= maxShares)
      for (const [each, old] of this.#shares) if (old.until < at && old.refusedUntil < at) this.#shares.delete(each);
    if (this.#shares.size >= maxShares) this.#shares.clear();
    this.#shares.set(id, share);
  }
}

function tooMany(requestsPerMinute: number, waitMs: number): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new DomainError(
    "rate-limited",
    `This key may make ${requestsPerMinute} requests a minute and has made them. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  );
}
