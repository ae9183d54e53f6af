import { AddressMapper, natMapOf } from "@fairlead/client";
import { keysOfAllSlots } from "@fairlead/client/testing";
import { obey } from "@fairlead/drivers/kubernetes-testing";
import { Cluster, Redis } from "ioredis";
import type { ClientRequest, Ends, Failure, MapSource, Report } from "./redis-client.ts";

// An application outside a Redis Cluster's network, controlled by messages.

const workerCount = 4;
const keys = keysOfAllSlots();

let writing: Writing | null = null;

obey<ClientRequest>(act);

async function act(request: ClientRequest): Promise<unknown> {
  switch (request.kind) {
    case "ask":
      return ask(request.at, request.command);
    case "try":
      return tryAll(request.ends, request.map);
    case "begin":
      writing = new Writing(request.name);
      return writing.begin(request.ends, request.map);
    case "read":
      return theWriting().read(request.slot);
    case "count":
      return theWriting().operations;
    case "end":
      return theWriting().end();
    default:
      return request satisfies never;
  }
}

function theWriting(): Writing {
  if (!writing) throw new Error("it writes nothing");
  return writing;
}

/** Sends one command to exactly one server. */
async function ask({ host, port }: Ends[number], [command = "", ...args]: string[]): Promise<unknown> {
  const redis = new Redis({ host, port, lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

/** Counts successful writes of the same client, with or without the map. */
async function tryAll(ends: Ends, map: MapSource | null): Promise<{ arrived: number; tried: number }> {
  const mapper = map && (await start(map));
  const cluster = new Cluster([...ends], {
    ...(mapper ? { natMap: natMapOf(mapper) } : {}),
    ...{ clusterRetryStrategy: () => null, maxRedirections: 3, retryDelayOnFailover: 20 },
    redisOptions: { connectTimeout: 2_000 },
  });
  cluster.on("error", () => {});
  const tried = keys.filter((_, slot) => slot % 500 === 0);
  const outcomes = await Promise.allSettled(tried.map((key) => cluster.set(`tried{${key}}`, "x")));
  cluster.disconnect();
  await mapper?.stop();
  return { arrived: outcomes.filter(({ status }) => status === "fulfilled").length, tried: tried.length };
}

async function start(map: MapSource): Promise<AddressMapper> {
  const mapper = new AddressMapper(map);
  await mapper.start();
  return mapper;
}

/** Writing writes to all slots in turn, and records the acknowledged and the attempted writes of each. */
class Writing {
  operations = 0;
  readonly #name: string;
  readonly #written = keys.map(() => ({ answered: 0, tried: 0 }));
  readonly #failures: Failure[] = [];
  #isOver = false;
  #cluster: Cluster | null = null;
  #mapper: AddressMapper | null = null;
  #workers: Promise<unknown> = Promise.resolve();

  constructor(name: string) {
    this.#name = name;
  }

  async begin(ends: Ends, map: MapSource): Promise<void> {
    this.#mapper = await start(map);
    this.#cluster = new Cluster([...ends], {
      natMap: natMapOf(this.#mapper),
      // After a MOVED, ioredis uses the announced address until it has refreshed the topology, which takes time.
      ...{ retryDelayOnMoved: 100, maxRedirections: 100 },
      redisOptions: { connectTimeout: 5_000 },
    });
    this.#cluster.on("error", () => {});
    this.#workers = Promise.all(Array.from({ length: workerCount }, (_, at) => this.#work(at)));
  }

  async read(slot: number): Promise<number> {
    try {
      return Number(await this.#cluster?.get(this.#keyOf(slot)));
    } catch (error) {
      throw new Error(`slot ${slot}: ${error}; ${this.#knows()}`, { cause: error });
    }
  }

  /** Describes its nodes and map, to find out whether the map or the data path was wrong. */
  #knows(): string {
    const nodes = this.#cluster?.nodes().map(({ options, status }) => `${options.host}:${options.port} ${status}`);
    const map = this.#mapper?.entries().map((each) => `${each.internalAddress} by ${each.externalAddress}`);
    return `it is connected to ${nodes?.join(", ")}; its map has ${map?.join(", ")}`;
  }

  async end(): Promise<Report> {
    this.#isOver = true;
    await this.#workers;
    const values = await Promise.all(keys.map((_, slot) => this.read(slot)));
    const wrong = values.flatMap((value, slot) => {
      const { answered = 0, tried = 0 } = this.#written[slot] ?? {};
      return value >= answered && value <= tried ? [] : [{ slot, value, answered, tried }];
    });
    this.#cluster?.disconnect();
    await this.#mapper?.stop();
    return { operations: this.operations, failures: this.#failures, wrong };
  }

  /** The hash tag in braces determines the slot. */
  #keyOf(slot: number): string {
    return `${this.#name}{${keys[slot]}}`;
  }

  async #work(first: number): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const slot = (first + i * workerCount) % keys.length;
      const mark = this.#written[slot];
      if (!mark) return;
      const value = ++mark.tried;
      const from = Date.now();
      try {
        await this.#cluster?.set(this.#keyOf(slot), value);
        mark.answered = value;
      } catch (error) {
        this.#failures.push({ slot, from, to: Date.now(), message: String(error) });
      }
      this.operations++;
    }
  }
}
