import { onServerTime, serverNow } from "@/live/server-clock.ts";

type Listener = (now: number) => void;

/**
 * LiveClock ticks in whole multiples of everyMs of the control plane's time, for all its listeners in one task, so that
 * a page renders once per tick and its charts share a request. It stops while the tab is hidden.
 */
export class LiveClock {
  readonly #everyMs: number;
  readonly #listeners = new Set<Listener>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  now(): number {
    return Math.floor(serverNow() / this.#everyMs) * this.#everyMs;
  }

  /** follow calls the listener now and at every tick. It returns how to stop that. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#stop) {
      if (document.visibilityState === "visible") listener(this.now());
    } else this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #start(): void {
    const stopListening = onServerTime(this.#tick);
    document.addEventListener("visibilitychange", this.#tick);
    this.#stop = () => {
      clearTimeout(this.#timer);
      stopListening();
      document.removeEventListener("visibilitychange", this.#tick);
    };
    this.#tick();
  }

  readonly #tick = (): void => {
    clearTimeout(this.#timer);
    if (document.visibilityState !== "visible") return;
    const now = this.now();
    this.#timer = setTimeout(this.#tick, now + this.#everyMs - serverNow());
    for (const listener of this.#listeners) listener(now);
  };
}
