import { spawn } from "node:child_process";
import path from "node:path";
import { inNetwork, type Network } from "./machine.ts";
import { Talk } from "./talk.ts";

export type Question = { protocol: "tcp" | "udp"; address: string; port: number; withinMs: number };

/** Answer is the response of an instance of the image `answer`. */
export type Answer = {
  instance: string;
  /** The client's address as the instance sees it. */
  client: string;
};

const answersWithinMs = 2_000;

/** Client sends requests from outside the cluster, connected to the same switch as its nodes. */
export class Client {
  readonly #network: Network;
  readonly #talk: Talk<Question>;

  constructor(network: Network) {
    this.#network = network;
    this.#talk = this.talk(path.join(import.meta.dirname, "client-process.ts"));
  }

  /** ask returns the name of the instance of `answer` that responds, over a new connection. */
  async ask(address: string, port: number, options: Partial<Question> = {}): Promise<Answer> {
    const text = await this.#talk.ask<string>({
      protocol: "tcp",
      withinMs: answersWithinMs,
      ...options,
      address,
      port,
    });
    const { instance, client } = JSON.parse(text) as Answer;
    return { instance, client: client.replace(/:\d+$/, "") };
  }

  /** talk runs a Node script in the client's network. */
  talk<Input extends object>(script: string): Talk<Input> {
    const [command = "", ...rest] = inNetwork(this.#network, [process.execPath, script]);
    return new Talk(spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  }

  stop(): Promise<void> {
    return this.#talk.stop();
  }
}
