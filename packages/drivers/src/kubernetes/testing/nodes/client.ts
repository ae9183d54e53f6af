import { spawn } from "node:child_process";
import path from "node:path";
import { inNetwork, type Network } from "./machine.ts";
import { Talk } from "./talk.ts";

export type Question = { protocol: "tcp" | "udp"; address: string; port: number; withinMs: number };

/** Answer is what an instance of the image `answer` says. */
export type Answer = {
  instance: string;
  /** The address by which it knows the client. */
  client: string;
};

const answersWithinMs = 2_000;

/** Client asks from where clients are: outside the cluster, at the switch that its nodes are at. */
export class Client {
  readonly #network: Network;
  readonly #talk: Talk<Question>;

  constructor(network: Network) {
    this.#network = network;
    this.#talk = this.talk(path.join(import.meta.dirname, "client-process.ts"));
  }

  /** ask asks an instance of `answer` who it is, by a connection of its own. */
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

  /** talk begins one with a script of Node's that runs where clients are. */
  talk<Asked extends object>(script: string): Talk<Asked> {
    const [command = "", ...rest] = inNetwork(this.#network, [process.execPath, script]);
    return new Talk(spawn(command, rest, { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  }

  stop(): Promise<void> {
    return this.#talk.stop();
  }
}
