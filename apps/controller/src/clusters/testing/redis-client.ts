import path from "node:path";
import type { Nodes, Talk } from "@fairlead/drivers/kubernetes-testing";

export type Ends = readonly { host: string; port: number }[];
/** The map to read, and the key for it. */
export type MapSource = { url: string; exposureId: string; apiKey: string };
/** A failed write, and its time. */
export type Failure = { slot: number; from: number; to: number; message: string };
export type Report = {
  operations: number;
  failures: Failure[];
  /** Slots with another value than written. */
  wrong: { slot: number; value: number; answered: number; tried: number }[];
};

export type ClientRequest =
  | { kind: "ask"; at: Ends[number]; command: string[] }
  | { kind: "try"; ends: Ends; map: MapSource | null }
  | { kind: "begin"; name: string; ends: Ends; map: MapSource }
  | { kind: "read"; slot: number }
  | { kind: "count" }
  | { kind: "end" };

/** RedisClient is an application in a separate process in the clients' network, outside the pod network. */
export class RedisClient {
  readonly #talk: Talk<ClientRequest>;

  constructor(nodes: Nodes) {
    this.#talk = nodes.client.talk(path.join(import.meta.dirname, "redis-client-process.ts"));
  }

  /** ask sends one command to one server. */
  ask(at: Ends[number], ...command: (string | number)[]): Promise<unknown> {
    return this.#talk.ask({ kind: "ask", at, command: command.map(String) });
  }

  /** try writes a few keys across all slots, and returns how many succeeded. */
  try(ends: Ends, map: MapSource | null): Promise<{ arrived: number; tried: number }> {
    return this.#talk.ask({ kind: "try", ends, map });
  }

  /** begin writes until end(). */
  begin(name: string, ends: Ends, map: MapSource): Promise<void> {
    return this.#talk.ask({ kind: "begin", name, ends, map });
  }

  read(slot: number): Promise<number> {
    return this.#talk.ask({ kind: "read", slot });
  }

  count(): Promise<number> {
    return this.#talk.ask({ kind: "count" });
  }

  end(): Promise<Report> {
    return this.#talk.ask({ kind: "end" });
  }

  stop(): Promise<void> {
    return this.#talk.stop();
  }
}
