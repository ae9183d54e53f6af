import { DomainError } from "@fairlead/domain";
import { may } from "@fairlead/domain/access";
import type { Candidate, Choice, Choose } from "@fairlead/domain/choice";
import { gatherCandidates, makeChoice, type ServiceContext, scopeOf } from "@fairlead/services";

export type ChoiceHubOptions = {
  /** How often a choice that is watched is made again. */
  everyMs?: number;
  /** The limits on concurrent watchers, in total and per organisation. */
  mostWatchers?: number;
  mostOfOrganization?: number;
};

const mostWatchers = 1_000;
const mostOfOrganization = 200;
const mostKept = 64;
const retryAfterSeconds = 10;

/** at: when they were read; null while they are. */
type Kept = { at: number | null; candidates: Promise<Candidate[]> };

/**
 * ChoiceHub is shared by all watchers of choices in a process: those with the same scope share what was read, so their number
 * doesn't multiply queries. Each is ranked by its own requirements.
 */
export class ChoiceHub {
  readonly #options: ChoiceHubOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #watchers = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(options: ChoiceHubOptions = {}) {
    this.#options = options;
  }

  get watcherCount(): number {
    let sum = 0;
    for (const each of this.#watchers.values()) sum += each;
    return sum;
  }

  get everyMs(): number {
    return this.#options.everyMs ?? 500;
  }

  /** Aborts when the process stops. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** enter counts a watcher until the returned function is called, and refuses one over the limit. */
  enter(organizationId: string): () => void {
    if (this.closing.aborted)
      throw new DomainError("unavailable", "The server is restarting.", { retryAfterSeconds: 1 });
    const own = this.#watchers.get(organizationId) ?? 0;
    if (own >= (this.#options.mostOfOrganization ?? mostOfOrganization))
      throw new DomainError(
        "rate-limited",
        `${own} clients of your organisation watch choices here, which is the limit. Choose without wait, or retry in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    if (this.watcherCount >= (this.#options.mostWatchers ?? mostWatchers))
      throw new DomainError(
        "unavailable",
        `This server has as many watching clients as it can hold. Choose without wait, or retry in ${retryAfterSeconds} s.`,
        { retryAfterSeconds },
      );
    this.#watchers.set(organizationId, own + 1);
    return () => {
      const left = (this.#watchers.get(organizationId) ?? 1) - 1;
      if (left > 0) this.#watchers.set(organizationId, left);
      else this.#watchers.delete(organizationId);
    };
  }

  /** make makes a choice of what was read less than half an interval ago, or is read now: a slow read is never joined by another. */
  async make(ctx: ServiceContext, input: Choose): Promise<Choice> {
    const scope = scopeOf(input);
    // Members who may not read the price book get other prices.
    const hasBook = may(ctx.actor, "price-book:read");
    const key = JSON.stringify([ctx.organizationId, hasBook, { ...scope, asked: [...scope.asked] }]);
    let kept = this.#kept.get(key);
    if (!kept || (kept.at !== null && Date.now() - kept.at >= this.everyMs / 2)) {
      kept = { at: null, candidates: gatherCandidates(ctx, scope) };
      this.#keep(key, kept);
    }
    return makeChoice(await kept.candidates, input, ctx.now);
  }

  close(): void {
    this.#closing.abort();
    this.#kept.clear();
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    // A failed read is not kept.
    kept.candidates.then(
      () => {
        kept.at = Date.now();
      },
      () => {
        if (this.#kept.get(key) === kept) this.#kept.delete(key);
      },
    );
  }
}
