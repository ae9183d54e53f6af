import type { AgentConfig } from "@fairlead/services/gateway";
import type { Caller } from "./caller.ts";

/**
 * ConfigStream is one open Watch: it holds at most the newest config that the agent lacks. A slow agent skips
 * revisions; none is ever followed by an older one.
 */
export class ConfigStream {
  readonly caller: Caller;
  #newest: number;
  #pending: AgentConfig | null = null;
  #ended = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(caller: Caller, revision: number) {
    this.caller = caller;
    this.#newest = revision;
  }

  get agentId(): string {
    return this.caller.agentId;
  }

  /** The newest revision that the agent has or is about to get. */
  get newest(): number {
    return this.#newest;
  }

  offer(config: AgentConfig): void {
    if (config.revision <= this.#newest) return;
    this.#newest = config.revision;
    this.#pending = config;
    this.#wake?.();
  }

  /** end stops the stream at once: what was not sent yet is not sent any more. */
  end(error: Error | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  /** next waits for a config; it answers "idle" after a while without one, and "ended" when the agent is gone. */
  async next(idleMs: number): Promise<AgentConfig | "idle" | "ended"> {
    if (!this.#ended && !this.#pending) await this.#awoken(idleMs);
    if (this.#error) throw this.#error;
    if (this.#ended) return "ended";
    const config = this.#pending;
    this.#pending = null;
    return config ?? "idle";
  }

  #awoken(idleMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, idleMs);
      this.#wake = done;
    });
  }
}
