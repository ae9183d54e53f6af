import type { StreamState } from "./follow-changes.ts";

export type LiveState = StreamState | "paused";
export type LiveFacts = {
  state: LiveState;
  paused: boolean;
  /** The changes that arrived while paused. */
  waiting: number;
};

type Inputs = { stream: StreamState; paused: boolean; waiting: number };

/** The initial state, before the stream is connected. It is the same on the server and in the browser. */
export const initialFacts: LiveFacts = { state: "connecting", paused: false, waiting: 0 };

/** LiveStore holds the state of the stream and notifies its subscribers. */
export class LiveStore {
  #inputs: Inputs = { stream: "connecting", paused: false, waiting: 0 };
  #facts = initialFacts;
  readonly #listeners = new Set<() => void>();

  readonly facts = (): LiveFacts => this.#facts;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  update(changes: Partial<Inputs>): void {
    this.#inputs = { ...this.#inputs, ...changes };
    const { stream, paused, waiting } = this.#inputs;
    const state = paused && stream !== "signed-out" && stream !== "elsewhere" ? "paused" : stream;
    if (same(this.#facts, { state, paused, waiting })) return;
    this.#facts = { state, paused, waiting };
    for (const listener of this.#listeners) listener();
  }
}

function same(one: LiveFacts, other: LiveFacts): boolean {
  return one.state === other.state && one.paused === other.paused && one.waiting === other.waiting;
}
