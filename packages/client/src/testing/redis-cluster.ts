import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type { AddressMap } from "../map/address-map.ts";
import { type Forwarder, forward } from "./forward.ts";
import { aMap, oneInstance } from "./maps.ts";

const announcedPort = 6_379;
const listening = 7_000;
const bus = 17_000;
const masters = 3;
const slots = 16_384;
const timeoutMs = 60_000;

type Node = { number: number; host: string; folder: string; process: ChildProcess | null; outside: Forwarder | null };

/**
 * RedisCluster is six real servers, three of them replicas, each at its own loopback address. They announce that address
 * with port 6379, where a gate admits only the servers themselves: like a pod address, clients can't reach it. Clients
 * connect through a forwarder at 127.0.0.1, whose port changes after each restart.
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

  /** The addresses for clients, as they are now. */
  get outside(): { host: string; port: number }[] {
    return this.nodes.flatMap(({ outside }) => (outside ? [{ host: "127.0.0.1", port: outside.port }] : []));
  }

  /** nextMap returns the current address map with a new generation. */
  nextMap(): AddressMap {
    this.#generation++;
    const entries = this.nodes.map(({ number, host, outside }) =>
      oneInstance(number, {
        ...{ instance: `redis-${number}`, internalAddress: host, ready: outside !== null },
        externalAddress: outside ? "127.0.0.1" : null,
        ports: [{ name: "redis", protocol: "tcp", internal: announcedPort, external: outside?.port ?? announcedPort }],
      }),
    );
    return aMap(this.#generation, entries);
  }

  /** masterOf returns the node that owns a slot. */
  masterOf(slot: number): number {
    return Math.min(masters - 1, Math.floor((slot * masters) / slots));
  }

  /** kill kills a node and its forwarder. */
  async kill(number: number): Promise<void> {
    const node = this.#node(number);
    await kill(node);
    await node.outside?.close();
    node.outside = null;
  }

  /** restart starts a node again, at another external port. */
  async restart(number: number, oldPort: number): Promise<void> {
    const node = this.#node(number);
    await this.#start(node);
    await until(`redis-${number} to serve`, async () => (await this.#call(node, "PING")) === "PONG");
    await until(`redis-${number} to be in the cluster`, async () =>
      String(await this.#call(node, "CLUSTER", "INFO")).includes("cluster_state:ok"),
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
      this.#gates.push(await forward({ host, port: announcedPort }, { host, port: listening }, isServer));
      node.outside = await forward({ host: "127.0.0.1", port: 0 }, { host, port: listening });
    }
    const [first, ...others] = this.nodes;
    if (!first) return;
    for (const node of this.nodes) await until("a PONG", async () => (await this.#call(node, "PING")) === "PONG");
    const share = (number: number) => Math.ceil((number * slots) / masters);
    for (const node of this.nodes.slice(0, masters))
      await this.#call(node, "CLUSTER", "ADDSLOTSRANGE", share(node.number), share(node.number + 1) - 1);
    for (const { host } of others) await this.#call(first, "CLUSTER", "MEET", host, announcedPort, bus);
    const lines = async (node: Node) => String(await this.#call(node, "CLUSTER", "NODES")).match(/ connected/g)?.length;
    for (const node of this.nodes)
      await until("all nodes to be connected", async () => (await lines(node)) === this.nodes.length);
    for (const node of this.nodes.slice(masters)) {
      const master = await this.#call(this.#node(node.number - masters), "CLUSTER", "MYID");
      await this.#call(node, "CLUSTER", "REPLICATE", String(master));
    }
    for (const node of this.nodes.slice(masters))
      await until("replicas to follow", async () =>
        String(await this.#call(node, "INFO", "replication")).includes("master_link_status:up"),
      );
    for (const node of this.nodes)
      await until("the cluster to serve", async () =>
        String(await this.#call(node, "CLUSTER", "INFO")).includes("cluster_state:ok"),
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
      ...{ "cluster-announce-ip": node.host, "cluster-announce-port": announcedPort, "cluster-announce-bus-port": bus },
      // The gates recognise the servers by this address.
      "bind-source-addr": node.host,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn("redis-server", args, { stdio: "ignore" });
    node.process = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve).once("error", (error) => {
        node.process = null;
        reject(new Error(`redis-server failed to start (apt-get install redis-server): ${error.message}`));
      });
    });
  }

  /** The setup connects to the servers directly, past the gates. */
  async #call({ host }: Node, command: string, ...args: (string | number)[]): Promise<unknown> {
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

/** A condition that throws isn't met yet. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let last = ""; ; ) {
    const so = await isSo().catch((error: unknown) => {
      last = String(error);
      return false;
    });
    if (so) return;
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what} (${last})`);
    await sleep(50);
  }
}
