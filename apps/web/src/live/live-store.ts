import type { StreamState } from "./follow-changes.ts";

export type LiveState = StreamState | "paused";
export type LiveFacts = {
  state: LiveState;
  paused: boolean;
  /** Changes that arrived while paused. */
  waiting: number;
};

type Told = { stream: StreamState; paused: boolean; waiting: number };

/** What a page is drawn with before it has heard of the stream, on the server and in the browser alike. */
export const factsAtFirst: LiveFacts = { state: "connecting", paused: false, waiting: 0 };

/** LiveStore keeps what is known of the stream, and tells those who show it. */
export class LiveStore {
  #told: Told = { stream: "connecting", paused: false, waiting: 0 };
  #facts = factsAtFirst;
  readonly #listeners = new Set<() => void>();

  readonly facts = (): LiveFacts => this.#facts;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(news: Partial<Told>): void {
    this.#told = { ...this.#told, ...news };
    const { stream, paused, waiting } = this.#told;
    const state = paused && stream !== "signed-out" && stream !== "elsewhere" ? "paused" : stream;
    if (same(this.#facts, { state, paused, waiting })) return;
    this.#facts = { state, paused, waiting };
    for (const listener of this.#listeners) listener();
  }
}

function same(one: LiveFacts, other: LiveFacts): boolean {
  return one.state === other.state && one.paused === other.paused && one.waiting === other.waiting;
}
