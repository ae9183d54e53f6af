import { createCluster } from "@redis/client";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddressMapper } from "../mapper/address-mapper.ts";
import { Edge } from "../testing/edge.ts";
import { exposureId, until } from "../testing/maps.ts";
import { RedisCluster } from "../testing/redis-cluster.ts";
import { keysOfAllSlots } from "../testing/slot-keys.ts";
import { natMapOf, nodeAddressMapOf } from "./redis.ts";

let redis: RedisCluster;
let edge: Edge;
let mapper: AddressMapper;
const keys = keysOfAllSlots();
const workerCount = 16;

beforeAll(async () => {
  redis = await RedisCluster.open();
  edge = await new Edge(redis.nextMap()).open();
  mapper = new AddressMapper({ url: edge.url, exposureId, apiKey: edge.key });
  await mapper.start();
});

afterAll(async () => {
  await mapper?.stop();
  await edge?.close();
  await redis?.close();
});

/** For each slot: the last acknowledged write, and the last attempted write. */
type Written = { answered: number; tried: number };
/** The time during which a condition held for a node or a slot. */
type Span = { number: number; from: number; to: number };

describe("a client outside the network of a Redis Cluster", () => {
  it("reaches every slot with the map, while instances restart one after another at a different external port", async () => {
    const cluster = new Cluster(redis.outside, {
      natMap: natMapOf(mapper),
      // After a MOVED, ioredis uses the announced address until it has refreshed the topology, which takes time.
      ...{ retryDelayOnMoved: 100, maxRedirections: 100 },
      redisOptions: { connectTimeout: 5_000 },
    });
    cluster.on("error", () => {});
    const written: Written[] = keys.map(() => ({ answered: 0, tried: 0 }));
    const losses: Span[] = [];
    const failed: (Span & { message: string })[] = [];
    let operations = 0;
    let isOver = false;

    async function work(first: number): Promise<void> {
      // At least twice through its share, and for as long as instances restart.
      for (let i = 0; !isOver || i < (keys.length / workerCount) * 2; i++) {
        const slot = (first + i * workerCount) % keys.length;
        const mark = written[slot] ?? { answered: 0, tried: 0 };
        const value = ++mark.tried;
        const from = performance.now();
        try {
          await cluster.set(keys[slot] ?? "", value);
          mark.answered = value;
        } catch (error) {
          failed.push({ number: redis.masterOf(slot), from, to: performance.now(), message: String(error) });
        }
        operations++;
      }
    }

    const workers = Promise.all(Array.from({ length: workerCount }, (_, i) => work(i)));
    try {
      for (const { number, host, outside } of redis.nodes) {
        const before = operations;
        const loss = { number, from: performance.now(), to: Number.POSITIVE_INFINITY };
        losses.push(loss);
        const oldPort = outside?.port ?? 0;
        await redis.kill(number);
        await redis.restart(number, oldPort);
        edge.serve(redis.nextMap());
        await until("the new port in the map", () => mapper.map(host, 6_379)?.port !== oldPort);
        // Its own slots respond again, if it is a master.
        const own = keys.find((_, slot) => redis.masterOf(slot) === number);
        if (own) await cluster.get(own);
        loss.to = performance.now();
        await until("more operations", () => operations > before + 1_000, 60_000);
      }
    } finally {
      isOver = true;
      await workers;
    }

    const unexpected = failed.filter(
      ({ number, from, to }) => !losses.some((loss) => loss.number === number && from <= loss.to && to >= loss.from),
    );
    expect(unexpected).toEqual([]);
    expect(operations).toBeGreaterThanOrEqual(10_000);
    expect(failed.length).toBeLessThan(operations * 0.01);
    const values = await Promise.all(keys.map(async (key) => Number(await cluster.get(key))));
    const wrong = values.flatMap((value, slot) => {
      const { answered, tried } = written[slot] ?? { answered: 0, tried: 0 };
      return value >= answered && value <= tried && value > 0 ? [] : [{ slot, value, answered, tried }];
    });
    expect(wrong).toEqual([]);
    cluster.disconnect();
  });

  it("can't connect without the map: the announced addresses are unreachable", async () => {
    for (const at of redis.outside) {
      const instance = new Redis(at);
      expect(await instance.ping()).toBe("PONG");
      const announced = (await instance.cluster("SLOTS")).map(([, , master]) => master?.slice(0, 2));
      expect(announced.sort()).toEqual(redis.nodes.slice(0, 3).map(({ host }) => [host, 6_379]));
      instance.disconnect();
    }
    const cluster = new Cluster(redis.outside, {
      ...{ clusterRetryStrategy: () => null, maxRedirections: 3, retryDelayOnFailover: 20 },
      redisOptions: { connectTimeout: 1_000 },
    });
    cluster.on("error", () => {});
    const tried = keys.filter((_, slot) => slot % 500 === 0);
    const outcomes = await Promise.allSettled(tried.map((key) => cluster.set(key, "x")));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
    cluster.disconnect();
  });

  it("works with node-redis too", async () => {
    const rootNodes = redis.outside.map(({ host, port }) => ({ socket: { host, port } }));
    const cluster = createCluster({ rootNodes, nodeAddressMap: nodeAddressMapOf(mapper) });
    cluster.on("error", () => {});
    await cluster.connect();
    const some = keys.filter((_, slot) => slot % 16 === 0);
    await Promise.all(some.map((key) => cluster.set(key, `by ${key}`)));
    expect(await Promise.all(some.map((key) => cluster.get(key)))).toEqual(some.map((key) => `by ${key}`));
    cluster.destroy();
  });
});
