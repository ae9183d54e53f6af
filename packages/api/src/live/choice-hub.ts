import { DomainError } from "@fairlead/domain";
import { may } from "@fairlead/domain/access";
import type { Candidate, Choice, Choose } from "@fairlead/domain/choice";
import {
  type Fleet,
  fleetScopeOf,
  gatherCandidates,
  makeChoice,
  readFleet,
  type ServiceContext,
  scopeOf,
} from "@fairlead/services";
import { SharedReads } from "./shared-reads.ts";

export type ChoiceHubOptions = {
  /** How often a choice that is watched is made again. */
  everyMs?: number;
  /** The limits on concurrent watchers, in total and per organisation. */
  mostWatchers?: number;
  mostOfOrganization?: number;
};

const mostWatchers = 1_000;
const mostOfOrganization = 200;
const retryAfterSeconds = 10;

/**
 * ChoiceHub is shared by all watchers of choices in a process: those with the same scope share what was read, so their number
 * doesn't multiply queries. Those that differ only in the node that they choose from share what was read of the fleet. Each is
 * ranked by its own requirements.
 */
export class ChoiceHub {
  readonly #options: ChoiceHubOptions;
  readonly #candidates = new SharedReads<Candidate[]>();
  readonly #fleets = new SharedReads<Fleet>();
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
    const keyOf = (of: { asked: ReadonlySet<string> }) =>
      JSON.stringify([ctx.organizationId, hasBook, { ...of, asked: [...of.asked] }]);
    const lastsMs = this.everyMs / 2;
    const fleetScope = fleetScopeOf(scope);
    const fleet = () => this.#fleets.get(keyOf(fleetScope), lastsMs, () => readFleet(ctx, fleetScope));
    const candidates = this.#candidates.get(keyOf(scope), lastsMs, () => gatherCandidates(ctx, scope, fleet()));
    return makeChoice(await candidates, input, ctx.now);
  }

  close(): void {
    this.#closing.abort();
    this.#candidates.clear();
    this.#fleets.clear();
  }
}
