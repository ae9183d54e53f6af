import type { Db } from "@fairlead/db";
import { type AgentIdentity, loadIdentities } from "@fairlead/services/gateway";

const freshMs = 15_000;
const mostKept = 20_000;

type Entry = { identity: AgentIdentity; until: number };
type Waiting = { resolve: (identity: AgentIdentity | null) => void; reject: (error: unknown) => void };

/**
 * AgentDirectory caches the identity of every agent for a short time, so that a thousand reports don't cost a thousand
 * queries. A notified change calls forget; the time limit covers lost notifications.
 */
export class AgentDirectory {
  readonly #db: Db;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Map<string, Waiting[]>();
  #epoch = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  get(agentId: string): Promise<AgentIdentity | null> {
    const entry = this.#entries.get(agentId);
    if (entry && entry.until > performance.now()) return Promise.resolve(entry.identity);
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => void this.#load());
      const queue = this.#waiting.get(agentId) ?? [];
      queue.push({ resolve, reject });
      this.#waiting.set(agentId, queue);
    });
  }

  /** Read it before the query and pass it to put, which caches nothing if an agent was forgotten meanwhile: the rows may be outdated. */
  get epoch(): number {
    return this.#epoch;
  }

  put(identities: readonly AgentIdentity[], epoch: number): void {
    const until = performance.now() + freshMs;
    for (const identity of identities) {
      this.#entries.delete(identity.agentId);
      if (epoch === this.#epoch) this.#entries.set(identity.agentId, { identity, until });
    }
    for (const agentId of this.#entries.keys()) {
      if (this.#entries.size <= mostKept) return;
      this.#entries.delete(agentId);
    }
  }

  forget(agentId: string): void {
    this.#epoch++;
    this.#entries.delete(agentId);
  }

  forgetAll(): void {
    this.#epoch++;
    this.#entries.clear();
  }

  // One query for all agents requested in this turn of the event loop.
  async #load(): Promise<void> {
    const waiting = new Map(this.#waiting);
    this.#waiting.clear();
    const epoch = this.#epoch;
    try {
      const found = await loadIdentities(this.#db, [...waiting.keys()]);
      this.put(found, epoch);
      const byId = new Map(found.map((identity) => [identity.agentId, identity]));
      for (const [agentId, queue] of waiting) for (const each of queue) each.resolve(byId.get(agentId) ?? null);
    } catch (error) {
      for (const queue of waiting.values()) for (const each of queue) each.reject(error);
    }
  }
}
