import { type Db, type Listener, listen } from "@fairlead/db";
import { DomainError } from "@fairlead/domain";
import {
  type AgentIdentity,
  admit,
  agentChannel,
  loadConfigs,
  loadIdentities,
  loadQuestion,
  manyAgents,
  questionChannel,
} from "@fairlead/services/gateway";
import type { Log } from "@fairlead/telemetry";
import type { Caller } from "../server/caller.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import { ConfigStream } from "./config-stream.ts";

export type WatchHubOptions = { db: Db; databaseUrl: string; directory: AgentDirectory; log: Log; pollMs: number };

/**
 * WatchHub feeds all open streams. A notification names the agents to check. Every few seconds it also checks all of its
 * agents in a single query, so a lost notification only costs seconds.
 */
export class WatchHub {
  readonly #options: WatchHubOptions;
  readonly #streams = new Map<string, Set<ConfigStream>>();
  readonly #unchecked = new Set<string>();
  #checking = false;
  #stopped = false;
  #listener: Listener | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: WatchHubOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { databaseUrl, pollMs } = this.#options;
    this.#poll = setInterval(() => this.#requestCheck(this.#streams.keys()), pollMs);
    this.#listener = await listen({
      url: databaseUrl,
      channels: [agentChannel, questionChannel],
      applicationName: "fairlead-gateway-listen",
      onNotification: (channel, payload) =>
        channel === questionChannel ? void this.#forward(payload) : this.#onChange(payload),
      onConnected: () => this.#onChange(manyAgents),
    });
  }

  get size(): number {
    return this.#streams.size;
  }

  /** open begins a stream for an agent that has the given revision. The caller must close it. */
  open(caller: Caller, revision: number): ConfigStream {
    if (this.#stopped) throw goingAway();
    const { agentId } = caller;
    const stream = new ConfigStream(caller, revision);
    const streams = this.#streams.get(agentId) ?? new Set();
    this.#streams.set(agentId, streams.add(stream));
    this.#requestCheck([agentId]);
    return stream;
  }

  close(stream: ConfigStream): void {
    stream.end();
    const streams = this.#streams.get(stream.agentId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#streams.delete(stream.agentId);
  }

  /** stop ends every stream, so that agents connect to another gateway. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    for (const streams of this.#streams.values()) for (const stream of streams) stream.end(goingAway());
    await this.#listener?.stop();
  }

  #onChange(agentId: string): void {
    if (agentId === manyAgents) {
      this.#options.directory.forgetAll();
      this.#requestCheck(this.#streams.keys());
      return;
    }
    this.#options.directory.forget(agentId);
    if (this.#streams.has(agentId)) this.#requestCheck([agentId]);
  }

  /** forward sends a question to its agent, if the agent is connected here. A lost question is repeated by the client that still needs the answer. */
  async #forward(payload: string): Promise<void> {
    const [agentId = "", questionId = ""] = payload.split(" ");
    if (!this.#streams.has(agentId)) return;
    try {
      const question = await loadQuestion(this.#options.db, questionId, agentId);
      if (question) for (const stream of this.#streams.get(agentId) ?? []) stream.ask(question);
    } catch (err) {
      if (!this.#stopped) this.#options.log.warn("could not forward a question", { err });
    }
  }

  #requestCheck(agentIds: Iterable<string>): void {
    for (const agentId of agentIds) this.#unchecked.add(agentId);
    if (this.#checking || this.#stopped || this.#unchecked.size === 0) return;
    this.#checking = true;
    // After this turn of the event loop, so that one query serves all agents that arrive together.
    setImmediate(() => void this.#checkUntilDone());
  }

  async #checkUntilDone(): Promise<void> {
    try {
      while (this.#unchecked.size > 0 && !this.#stopped) {
        const agentIds = [...this.#unchecked];
        this.#unchecked.clear();
        await this.#check(agentIds);
      }
    } catch (err) {
      // The next poll retries. Until then, every agent keeps its config.
      if (!this.#stopped) this.#options.log.warn("could not check for new configs", { err });
    } finally {
      this.#checking = false;
    }
  }

  async #check(agentIds: string[]): Promise<void> {
    const { db, directory } = this.#options;
    const epoch = directory.epoch;
    const identities = await loadIdentities(db, agentIds);
    directory.put(identities, epoch);
    const byId = new Map(identities.map((identity) => [identity.agentId, identity]));
    const behind: string[] = [];
    for (const agentId of agentIds) {
      const identity = byId.get(agentId);
      for (const stream of this.#streams.get(agentId) ?? []) {
        const refusal = refusalOf(identity, stream.caller);
        if (refusal) stream.end(refusal);
        else if (identity && identity.revision > stream.newest) behind.push(agentId);
      }
    }
    for (const config of await loadConfigs(db, behind))
      for (const stream of this.#streams.get(config.agentId) ?? []) stream.offer(config);
  }
}

function refusalOf(identity: AgentIdentity | undefined, caller: Caller): Error | null {
  try {
    admit(identity, caller);
    return null;
  } catch (error) {
    return error as Error;
  }
}

function goingAway(): DomainError {
  return new DomainError("unavailable", "This gateway is shutting down; reconnect.", { retryAfterSeconds: 1 });
}
