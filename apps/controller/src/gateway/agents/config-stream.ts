import type { AgentConfig, Question } from "@fairlead/services/gateway";
import type { Caller } from "../server/caller.ts";

// An agent that reads no questions is stuck, and the queries time out anyway.
const mostQuestions = 8;

/**
 * ConfigStream is one open Watch. It holds at most the newest config that the agent lacks, so a slow agent skips
 * revisions, and a revision is never followed by an older one. The config is sent before questions.
 */
export class ConfigStream {
  readonly caller: Caller;
  #newest: number;
  #pending: AgentConfig | null = null;
  readonly #questions: Question[] = [];
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

  ask(question: Question): void {
    if (this.#questions.length >= mostQuestions) return;
    this.#questions.push(question);
    this.#wake?.();
  }

  /** end stops the stream at once, and drops what was not sent yet. */
  end(error: Error | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#wake?.();
  }

  /** next waits for something to send. It returns "idle" if there is nothing for a while, and "ended" once the agent is gone. */
  async next(idleMs: number): Promise<AgentConfig | Question | "idle" | "ended"> {
    if (!this.#ended && !this.#pending && this.#questions.length === 0) await this.#awoken(idleMs);
    if (this.#error) throw this.#error;
    if (this.#ended) return "ended";
    const config = this.#pending;
    this.#pending = null;
    return config ?? this.#questions.shift() ?? "idle";
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
