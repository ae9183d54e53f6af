import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import type { AddressMap } from "../map/address-map.ts";
import { type Forwarder, forward } from "./forward.ts";
import { aMap, oneInstance } from "./maps.ts";

const told = 6_379;
const listening = 7_000;
const bus = 17_000;
const masters = 3;
const slots = 16_384;
const patienceMs = 60_000;

type Node = { number: number; host: string; folder: string; process: ChildProcess | null; outside: Forwarder | null };

/**
 * RedisCluster is six real servers, three of them replicas, each at a loopback address of its own. What they tell clients
 * is that address with port 6379, where a gate admits only the servers themselves: to a client it is as out of reach as
 * the address of a pod. A client gets in by a forwarder at 127.0.0.1, whose port is another after each restart.
 */
export class RedisCluster {
  readonly nodes: Node[];
  readonly #folder: string;
  readonly #network: string;
  readonly #gates: Forwarder[] = [];
  #generation = 0;

  private constructor(folder: string, network: string) {
    this.#folder = folder;
    this.#network = network;
    this.nodes = Array.from({ length: masters * 2 }, (_, i) => ({
      ...{ number: i, host: `${network}.${i + 1}`, folder: path.join(folder, String(i)) },
      ...{ process: null, outside: null },
    }));
  }

  static async open(): Promise<RedisCluster> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "fairlead-redis-"));
    const cluster = new RedisCluster(folder, `127.${randomInt(20, 250)}.${randomInt(1, 250)}`);
    try {
      await cluster.#begin();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  async close(): Promise<void> {
    for (const node of this.nodes) await kill(node);
    for (const each of [...this.#gates, ...this.nodes.map(({ outside }) => outside)]) await each?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The addresses by which clients get in, as they are now. */
  get outside(): { host: string; port: number }[] {
    return this.nodes.flatMap(({ outside }) => (outside ? [{ host: "127.0.0.1", port: outside.port }] : []));
  }

  /** nextMap is the address map as it is now, with a generation of its own. */
  nextMap(): AddressMap {
    this.#generation++;
    const entries = this.nodes.map(({ number, host, outside }) =>
      oneInstance(number, {
        ...{ instance: `redis-${number}`, internalAddress: host, ready: outside !== null },
        externalAddress: outside ? "127.0.0.1" : null,
        ports: [{ name: "redis", protocol: "tcp", internal: told, external: outside?.port ?? told }],
      }),
    );
    return aMap(this.#generation, entries);
  }

  /** masterOf answers which node has a slot. */
  masterOf(slot: number): number {
    return Math.min(masters - 1, Math.floor((slot * masters) / slots));
  }

  /** lose kills a node, and with it the way to it. */
  async lose(number: number): Promise<void> {
    const node = this.#node(number);
    await kill(node);
    await node.outside?.close();
    node.outside = null;
  }

  /** regain starts it again, at another external port. */
  async regain(number: number, oldPort: number): Promise<void> {
    const node = this.#node(number);
    await this.#start(node);
    await until(`redis-${number} to serve`, async () => (await this.#ask(node, "PING")) === "PONG");
    await until(`redis-${number} to be in the cluster`, async () =>
      String(await this.#ask(node, "CLUSTER", "INFO")).includes("cluster_state:ok"),
    );
    do {
      await node.outside?.close();
      node.outside = await forward({ host: "127.0.0.1", port: 0 }, { host: node.host, port: listening });
    } while (node.outside.port === oldPort);
  }

  async #begin(): Promise<void> {
    for (const node of this.nodes) {
      await this.#start(node);
      const { host } = node;
      const isServer = (from: string) => from.startsWith(`${this.#network}.`);
      this.#gates.push(await forward({ host, port: told }, { host, port: listening }, isServer));
      node.outside = await forward({ host: "127.0.0.1", port: 0 }, { host, port: listening });
    }
    const [first, ...others] = this.nodes;
    if (!first) return;
    for (const node of this.nodes) await until("an answer", async () => (await this.#ask(node, "PING")) === "PONG");
    const share = (number: number) => Math.ceil((number * slots) / masters);
    for (const node of this.nodes.slice(0, masters))
      await this.#ask(node, "CLUSTER", "ADDSLOTSRANGE", share(node.number), share(node.number + 1) - 1);
    for (const { host } of others) await this.#ask(first, "CLUSTER", "MEET", host, told, bus);
    const lines = async (node: Node) => String(await this.#ask(node, "CLUSTER", "NODES")).match(/ connected/g)?.length;
    for (const node of this.nodes)
      await until("all to know each other", async () => (await lines(node)) === this.nodes.length);
    for (const node of this.nodes.slice(masters)) {
      const master = await this.#ask(this.#node(node.number - masters), "CLUSTER", "MYID");
      await this.#ask(node, "CLUSTER", "REPLICATE", String(master));
    }
    for (const node of this.nodes.slice(masters))
      await until("replicas to follow", async () =>
        String(await this.#ask(node, "INFO", "replication")).includes("master_link_status:up"),
      );
    for (const node of this.nodes)
      await until("the cluster to serve", async () =>
        String(await this.#ask(node, "CLUSTER", "INFO")).includes("cluster_state:ok"),
      );
  }

  #node(number: number): Node {
    const node = this.nodes[number];
    if (!node) throw new Error(`there is no node ${number}`);
    return node;
  }

  async #start(node: Node): Promise<void> {
    await mkdir(node.folder, { recursive: true });
    const settings = {
      ...{ bind: node.host, port: listening, dir: node.folder, save: "", "protected-mode": "no" },
      ...{ appendonly: "yes", appendfsync: "no", "repl-diskless-sync-delay": 0, loglevel: "warning" },
      ...{ "cluster-enabled": "yes", "cluster-node-timeout": 15_000, "cluster-port": bus },
      ...{ "cluster-announce-ip": node.host, "cluster-announce-port": told, "cluster-announce-bus-port": bus },
      // By this the gates know the servers.
      "bind-source-addr": node.host,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn("redis-server", args, { stdio: "ignore" });
    node.process = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", (error) => {
        node.process = null;
        reject(new Error(`redis-server can't be run (apt-get install redis-server): ${error.message}`));
      });
    });
  }

  /** Whoever sets the cluster up goes to the servers themselves, past the gates. */
  async #ask({ host }: Node, command: string, ...args: (string | number)[]): Promise<unknown> {
    const redis = new Redis({ host, port: listening, lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
    redis.on("error", () => {});
    try {
      await redis.connect();
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  }
}

async function kill(node: Node): Promise<void> {
  const child = node.process;
  node.process = null;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

/** What throws is not so yet. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (let last = ""; ; ) {
    const so = await isSo().catch((error: unknown) => {
      last = String(error);
      return false;
    });
    if (so) return;
    if (performance.now() > deadline) throw new Error(`not within ${patienceMs} ms: ${what} (${last})`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
