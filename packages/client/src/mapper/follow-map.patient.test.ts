import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AddressMap } from "../map/address-map.ts";
import { faultsByName } from "../testing/faults.ts";
import { Mappers, moved, portOf } from "../testing/mappers.ts";
import { aMap, oneInstance, until } from "../testing/maps.ts";

const stage = new Mappers();

describe("following", () => {
  it("receives a change through a long poll, without polling repeatedly", async () => {
    const mapper = await stage.start();
    for (let generation = 2; generation <= 6; generation++) {
      await until("a long poll", () => stage.edge.waiting === 1);
      stage.edge.serve(moved(generation, 31_000 + generation));
      await until("the change", () => portOf(mapper) === 31_000 + generation);
    }
    expect(stage.edge.seen.length).toBeLessThanOrEqual(8);
    expect(mapper.stats()).toMatchObject({ generation: 6, changes: 5, restores: 0, source: "server" });
    expect(stage.edge.seen.at(-1)?.query.get("wait")).toBe("30s");
  });

  it("yields each newer map, only the newest to a slow consumer, and ends with stop()", async () => {
    const mapper = await stage.start();
    const generations: number[] = [];
    const reading = (async () => {
      for await (const map of mapper.changes()) {
        generations.push(map.generation);
        if (map.generation === 1)
          for (const generation of [2, 3, 4]) {
            await until("a long poll", () => stage.edge.waiting === 1);
            stage.edge.serve(moved(generation, 31_000 + generation));
            await until("the change", () => mapper.stats().generation === generation);
          }
      }
    })();
    await until("the newest", () => generations.at(-1) === 4);
    await mapper.stop();
    await reading;
    expect(generations).toEqual([1, 4]);
  });

  it("ends an iteration on its own signal", async () => {
    const mapper = await stage.start();
    const end = new AbortController();
    const maps: AddressMap[] = [];
    for await (const map of mapper.changes(end.signal)) {
      maps.push(map);
      end.abort();
    }
    expect(maps).toHaveLength(1);
  });

  it("reports changes, and continues when a listener throws", async () => {
    const mapper = await stage.start();
    const received: unknown[] = [];
    mapper.onChange(() => {
      throw new Error("a listener's error");
    });
    mapper.onChange(({ added, removed, changed }) =>
      received.push([added, removed, changed].map((each) => each.map(({ instance }) => instance))),
    );
    await until("a long poll", () => stage.edge.waiting === 1);
    stage.edge.serve(aMap(2, [oneInstance(6)]));
    await until("the change", () => received.length === 1);
    expect(received).toEqual([[["grid-6"], ["grid-5"], []]]);
    expect(mapper.problems.map(({ message }) => message)).toContain("a listener's error");
  });

  it("sends about one request per second to a server that doesn't hold long polls", async () => {
    const mapper = await stage.start();
    await until("a long poll", () => stage.edge.waiting === 1);
    const before = stage.edge.seen.length;
    stage.edge.outage = (_, response) => void response.writeHead(304).end();
    stage.edge.serve(stage.edge.map); // ends the long poll
    await sleep(1_500);
    expect(stage.edge.seen.length - before).toBeLessThanOrEqual(3);
    expect(mapper.problems).toEqual([]);
  });
});

describe("generations", () => {
  it("keeps the map after one old response", async () => {
    stage.edge.serve(moved(7, 31_007));
    const mapper = await stage.start();
    const old = JSON.stringify(moved(3, 31_003));
    stage.edge.faults.push((_, response) =>
      response.writeHead(200, { "content-type": "application/json", etag: '"3.old"' }).end(old),
    );
    await mapper.refresh();
    await until("a confirmation", () => mapper.stats().refreshes.unchanged >= 2);
    expect(portOf(mapper)).toBe(31_007);
    expect(mapper.stats()).toMatchObject({ generation: 7, restores: 0 });
  });

  it("follows a control plane that was restored from a backup, and reports it", async () => {
    stage.edge.serve(moved(7, 31_007));
    const mapper = await stage.start();
    const restored: boolean[] = [];
    mapper.onChange(({ isRestored }) => restored.push(isRestored));
    await stage.edge.close();
    stage.edge.serve(moved(3, 31_003));
    await stage.edge.open();
    await until("the restored map", () => portOf(mapper) === 31_003);
    expect(restored).toEqual([true]);
    expect(mapper.stats()).toMatchObject({ generation: 3, restores: 1 });
    await until("a long poll", () => stage.edge.waiting === 1);
    stage.edge.serve(moved(4, 31_004));
    await until("the next change", () => portOf(mapper) === 31_004);
  });

  it("uses the newest served map, in any order and after any faults", async () => {
    const random = seeded(20_261_125);
    const mapper = await stage.start({ requestTimeoutMs: 200 });
    let generation = 1;
    let accepted = 0;
    mapper.onChange(() => accepted++);
    for (let step = 0; step < 60; step++) {
      const fault = faults[Math.floor(random() * faults.length * 2)];
      if (fault) stage.edge.faults.push(fault);
      if (random() < 0.3) {
        await stage.edge.close();
        await stage.edge.open();
      }
      generation += 1 + Math.floor(random() * 3);
      stage.edge.serve(moved(generation, 20_000 + generation));
      const refresh = random() < 0.5 ? mapper.refresh().catch(() => {}) : null;
      if (random() < 0.5) await until(`generation ${generation}`, () => portOf(mapper) === 20_000 + generation);
      expect(mapper.stats().generation).toBeLessThanOrEqual(generation);
      expect(portOf(mapper)).toBe(mapper.stats().generation === 1 ? 30_005 : 20_000 + (mapper.stats().generation ?? 0));
      await refresh;
    }
    await until("the last", () => portOf(mapper) === 20_000 + generation);
    expect(accepted).toBeGreaterThan(20);
    expect(mapper.stats().restores).toBe(0);
  }, 120_000);
});

const faults = Object.values(faultsByName);

/** A pseudo-random generator with the same sequence in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
