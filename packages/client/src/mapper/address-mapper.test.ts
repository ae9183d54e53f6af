import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MapError } from "../errors.ts";
import type { AddressMap } from "../map/address-map.ts";
import { Edge, problem } from "../testing/edge.ts";
import { aMap, exposureId, oneInstance, until } from "../testing/maps.ts";
import { AddressMapper } from "./address-mapper.ts";
import type { AddressMapperOptions } from "./options.ts";

let edge: Edge;
let folder: string;
let mappers: AddressMapper[] = [];
let unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

beforeEach(async () => {
  unhandled = [];
  process.on("unhandledRejection", onUnhandled);
  folder = await mkdtemp(path.join(os.tmpdir(), "fairlead-client-"));
  edge = await new Edge(aMap(1)).open();
});

afterEach(async () => {
  await Promise.all(mappers.map((each) => each.stop()));
  mappers = [];
  await edge.close();
  await rm(folder, { recursive: true });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

function mapperOf(options: Partial<AddressMapperOptions> = {}): AddressMapper & { problems: MapError[] } {
  const mapper = new AddressMapper({
    ...{ url: edge.url, exposureId, apiKey: edge.key },
    ...{ requestTimeoutMs: 1_000, startTimeoutMs: 5_000, ...options },
  });
  mappers.push(mapper);
  const problems: MapError[] = [];
  mapper.onProblem((error) => problems.push(error));
  return Object.assign(mapper, { problems });
}

async function started(options: Partial<AddressMapperOptions> = {}) {
  const mapper = mapperOf(options);
  await mapper.start();
  return mapper;
}

const outside = { host: "203.0.113.5", port: 30_005 };
const moved = (generation: number, port: number) =>
  aMap(generation, [
    oneInstance(5, { ports: [{ name: null, protocol: "tcp", internal: 11_222, external: port }], generation }),
  ]);
const portOf = (mapper: AddressMapper) => mapper.map("10.0.5.5", 11_222)?.port;

describe("looking up", () => {
  it("maps internal to external and back, whatever way an address is spelled", async () => {
    const six = oneInstance(6, { internalAddress: "fd00::6", externalAddress: "2001:db8::6" });
    edge.serve(aMap(1, [oneInstance(5), six]));
    const mapper = await started();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.map("::ffff:10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.map("[FD00:0:0::6]", 11_222)).toEqual({ host: "2001:db8::6", port: 30_006 });
    expect(mapper.reverse("203.0.113.5", 30_005)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect(mapper.reverse("203.0.113.5", 1)).toBeNull();
    expect(mapper.entries()).toHaveLength(2);
  });

  it("leaves an address alone that is external already", async () => {
    const mapper = await started({ onUnknown: "reject" });
    expect(mapper.map("203.0.113.5", 30_005)).toEqual(outside);
  });

  it("tells ports and protocols apart", async () => {
    const mapper = await started({ onUnknown: "reject" });
    expect(mapper.map("10.0.5.5", 11_223)).toBeNull();
    expect(mapper.map("10.0.5.5", 11_222, "udp")).toBeNull();
  });

  it.each([
    ["pass", { host: "10.9.9.9", port: 1 }],
    ["reject", null],
    ["refresh", null],
  ] as const)("answers by its policy for an unknown address: %s", async (onUnknown, expected) => {
    const mapper = await started({ onUnknown });
    expect(mapper.map("10.9.9.9", 1)).toEqual(expected);
  });

  it("does not hand an internal address to a client outside as mapped while the instance has no external one", async () => {
    edge.serve(aMap(1, [oneInstance(5, { externalAddress: null })]));
    const mapper = await started({ onUnknown: "reject" });
    expect(mapper.map("10.0.5.5", 11_222)).toBeNull();
    expect(mapper.stats().lookups).toEqual({ hit: 0, pending: 1, unknown: 0, bypassed: 0 });
  });

  it("prefers of an instance's entries the one that is ready, and any with an address over none", async () => {
    const ready = oneInstance(5, { externalAddress: "203.0.113.77" });
    edge.serve(aMap(1, [oneInstance(5, { externalAddress: null }), oneInstance(5, { ready: false }), ready]));
    expect((await started()).map("10.0.5.5", 11_222)?.host).toBe("203.0.113.77");
  });

  it("knows instances by further names", async () => {
    const mapper = await started({ namesOf: ({ pod }) => [`${pod}.grid.default.svc.cluster.local`] });
    expect(mapper.map("Grid-5.grid.default.svc.cluster.local.", 11_222)).toEqual(outside);
  });

  it("reads the map at once when an address is unknown and the policy says so", async () => {
    const mapper = await started({ onUnknown: "refresh" });
    await until("a waiting question", () => edge.waiting === 1);
    const before = edge.seen.length;
    expect(mapper.map("10.9.9.9", 1)).toBeNull();
    expect(mapper.map("10.9.9.8", 1)).toBeNull();
    await until("a read without waiting", () => edge.seen.slice(before).some(({ query }) => !query.has("wait")));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(edge.seen.slice(before)).toHaveLength(1);
  });

  it("asks once for many who resolve what is unknown, and answers from memory what is known", async () => {
    const mapper = await started({ onUnknown: "reject" });
    await until("a waiting question", () => edge.waiting === 1);
    const before = edge.seen.length;
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => mapper.resolve("10.9.9.9", i + 1)));
    expect(new Set(answers)).toEqual(new Set([null]));
    expect(await mapper.resolve("10.0.5.5", 11_222)).toEqual(outside);
    expect(edge.seen.length - before).toBe(1);
  });

  it("resolves what a read brings", async () => {
    const mapper = await started({ onUnknown: "reject" });
    await until("a waiting question", () => edge.waiting === 1);
    edge.serve(aMap(2, [oneInstance(5), oneInstance(9)]), { wakes: false });
    expect(mapper.map("10.0.5.9", 11_222)).toBeNull();
    expect(await mapper.resolve("10.0.5.9", 11_222)).toEqual({ host: "203.0.113.9", port: 30_009 });
  });
});

describe("where the client stands", () => {
  it("bypasses the map inside the network", async () => {
    const mapper = await started({ needsMapping: "auto", internalNetworks: ["127.0.0.0/8"] });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect(mapper.stats().lookups.bypassed).toBe(1);
  });

  it("uses it outside", async () => {
    const mapper = await started({ needsMapping: "auto", internalNetworks: ["198.18.0.0/15", "fd12::/16"] });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("finds out by asking an internal address where no networks are told", async () => {
    const asked: string[] = [];
    const probe = (answers: boolean) => async (host: string, port: number) => {
      asked.push(`${host}:${port}`);
      return answers;
    };
    const inside = await started({ needsMapping: "auto", probe: probe(true) });
    expect(inside.map("10.0.5.5", 11_222)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect((await started({ needsMapping: "auto", probe: probe(false) })).map("10.0.5.5", 11_222)).toEqual(outside);
    expect(asked).toEqual(["10.0.5.5:11222", "10.0.5.5:11222"]);
  });

  it("asks a function, and maps when that fails", async () => {
    const mapper = await started({
      needsMapping: (host) => {
        if (host === "10.0.5.5") throw new Error("no idea");
        return false;
      },
    });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.map("10.0.5.6", 11_222)).toEqual({ host: "10.0.5.6", port: 11_222 });
    expect(mapper.problems.map(({ message }) => message)).toEqual(["no idea"]);
  });
});

describe("following", () => {
  it("hears of a change while it waits, without asking again and again", async () => {
    const mapper = await started();
    for (let generation = 2; generation <= 6; generation++) {
      await until("a waiting question", () => edge.waiting === 1);
      edge.serve(moved(generation, 31_000 + generation));
      await until("the change", () => portOf(mapper) === 31_000 + generation, 2_000);
    }
    expect(edge.seen.length).toBeLessThanOrEqual(8);
    expect(mapper.stats()).toMatchObject({ generation: 6, changes: 5, restores: 0, source: "server" });
    expect(edge.seen.at(-1)?.query.get("wait")).toBe("30s");
  });

  it("gives each newer map to whoever iterates, the newest to who is slow, and ends with stop()", async () => {
    const mapper = await started();
    const generations: number[] = [];
    const reading = (async () => {
      for await (const map of mapper.changes()) {
        generations.push(map.generation);
        if (map.generation === 1)
          for (const generation of [2, 3, 4]) {
            await until("a waiting question", () => edge.waiting === 1);
            edge.serve(moved(generation, 31_000 + generation));
            await until("the change", () => mapper.stats().generation === generation);
          }
      }
    })();
    await until("the newest", () => generations.at(-1) === 4);
    await mapper.stop();
    await reading;
    expect(generations).toEqual([1, 4]);
  });

  it("ends an iteration by its own signal", async () => {
    const mapper = await started();
    const end = new AbortController();
    const maps: AddressMap[] = [];
    for await (const map of mapper.changes(end.signal)) {
      maps.push(map);
      end.abort();
    }
    expect(maps).toHaveLength(1);
  });

  it("tells what changed, and goes on when a listener throws", async () => {
    const mapper = await started();
    const heard: unknown[] = [];
    mapper.onChange(() => {
      throw new Error("a listener's own");
    });
    mapper.onChange(({ added, removed, changed }) =>
      heard.push([added, removed, changed].map((each) => each.map(({ instance }) => instance))),
    );
    await until("a waiting question", () => edge.waiting === 1);
    edge.serve(aMap(2, [oneInstance(6)]));
    await until("the change", () => heard.length === 1);
    expect(heard).toEqual([[["grid-6"], ["grid-5"], []]]);
    expect(mapper.problems.map(({ message }) => message)).toContain("a listener's own");
  });

  it("asks a server that answers at once instead of waiting no more than about once a second", async () => {
    const mapper = await started();
    await until("a waiting question", () => edge.waiting === 1);
    const before = edge.seen.length;
    edge.outage = (_, response) => void response.writeHead(304).end();
    edge.serve(edge.map); // lets go of the question that waits
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(edge.seen.length - before).toBeLessThanOrEqual(3);
    expect(mapper.problems).toEqual([]);
  });
});

describe("generations", () => {
  it("does not go back for one old answer", async () => {
    edge.serve(moved(7, 31_007));
    const mapper = await started();
    const old = JSON.stringify(moved(3, 31_003));
    edge.faults.push((_, response) =>
      response.writeHead(200, { "content-type": "application/json", etag: '"3.old"' }).end(old),
    );
    await mapper.refresh();
    await until("it to be confirmed", () => mapper.stats().refreshes.unchanged >= 2);
    expect(portOf(mapper)).toBe(31_007);
    expect(mapper.stats()).toMatchObject({ generation: 7, restores: 0 });
  });

  it("follows a control plane that was restored from a backup, and says so", async () => {
    edge.serve(moved(7, 31_007));
    const mapper = await started();
    const restored: boolean[] = [];
    mapper.onChange(({ isRestored }) => restored.push(isRestored));
    await edge.close();
    edge.serve(moved(3, 31_003));
    await edge.open();
    await until("the restored map", () => portOf(mapper) === 31_003);
    expect(restored).toEqual([true]);
    expect(mapper.stats()).toMatchObject({ generation: 3, restores: 1 });
    await until("a waiting question", () => edge.waiting === 1);
    edge.serve(moved(4, 31_004));
    await until("the next change", () => portOf(mapper) === 31_004);
  });

  it("answers with the newest map that was served, whatever the order and the faults between", async () => {
    const random = seeded(20_261_125);
    const mapper = await started({ requestTimeoutMs: 200 });
    let generation = 1;
    let accepted = 0;
    mapper.onChange(() => accepted++);
    for (let step = 0; step < 60; step++) {
      const fault = faults[Math.floor(random() * faults.length * 2)];
      if (fault) edge.faults.push(fault);
      if (random() < 0.3) {
        await edge.close();
        await edge.open();
      }
      generation += 1 + Math.floor(random() * 3);
      edge.serve(moved(generation, 20_000 + generation));
      const asked = random() < 0.5 ? mapper.refresh().catch(() => {}) : null;
      if (random() < 0.5) await until(`generation ${generation}`, () => portOf(mapper) === 20_000 + generation, 20_000);
      expect(mapper.stats().generation).toBeLessThanOrEqual(generation);
      expect(portOf(mapper)).toBe(mapper.stats().generation === 1 ? 30_005 : 20_000 + (mapper.stats().generation ?? 0));
      await asked;
    }
    await until("the last", () => portOf(mapper) === 20_000 + generation, 20_000);
    expect(accepted).toBeGreaterThan(20);
    expect(mapper.stats().restores).toBe(0);
  }, 120_000);
});

describe("faults", () => {
  it.each(["hangs in the middle", "cuts its JSON", "answers 500", "answers HTML", "closes", "is no map"])(
    "keeps the last good map while the control plane %s, and follows again afterwards",
    async (name) => {
      const mapper = await started({ requestTimeoutMs: 300 });
      await until("a waiting question", () => edge.waiting === 1);
      edge.outage = named[name] ?? null;
      expect(edge.outage).not.toBeNull();
      edge.serve(edge.map); // lets go of the question that waits
      await until("failures", () => mapper.problems.length >= 2);
      expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
      expect(mapper.stats().refreshes.failed).toBeGreaterThanOrEqual(2);
      expect(mapper.current?.ageMs).toBeGreaterThan(0);
      edge.outage = null;
      edge.serve(moved(2, 31_002));
      await until("the change", () => portOf(mapper) === 31_002, 10_000);
    },
  );

  it("waits as long as it is told to by 429, and not less", async () => {
    const mapper = await started();
    await until("a waiting question", () => edge.waiting === 1);
    edge.faults.push((_, response) => problem(response, 429, "Too many requests.", { "retry-after": "1" }));
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited", status: 429, retryAfterMs: 1_000 });
    const before = edge.seen.length;
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited" });
    expect(edge.seen.length).toBe(before);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await mapper.refresh();
  });

  it("refuses a start with a key that is refused, in the control plane's words and without the key", async () => {
    const mapper = mapperOf({ apiKey: "fl_wrong" });
    const error: MapError = await mapper.start().catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "refused", status: 401 });
    expect(error.message).toBe(`${edge.url} answers 401: You are signed out. Sign in, or send an API key.`);
    expect(JSON.stringify(error) + error.stack).not.toContain("fl_wrong");
  });

  it("refuses a start for an exposure that is not there, and can be started again", async () => {
    const mapper = mapperOf({ exposureId: "exp_other" });
    await expect(mapper.start()).rejects.toMatchObject({ kind: "not-found" });
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    edge.serve({ ...aMap(1), exposureId: "exp_other" });
    await mapper.start();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("goes on with the last good map when its key is revoked", async () => {
    const mapper = await started();
    await until("a waiting question", () => edge.waiting === 1);
    edge.key = "fl_another";
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "refused" });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("waits for a control plane that starts a little later", async () => {
    await edge.close();
    const mapper = mapperOf();
    const starting = mapper.start();
    await until("a failure", () => mapper.problems.length > 0);
    await edge.open();
    await starting;
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("gives up a start in time, whether nobody is there or somebody is silent", async () => {
    edge.outage = () => {};
    for (const isThere of [true, false]) {
      if (!isThere) await edge.close();
      const began = performance.now();
      await expect(mapperOf({ startTimeoutMs: 300 }).start()).rejects.toMatchObject({ kind: "unavailable" });
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  it("refuses an answer that is too long, told or not, and a map with too many ports", async () => {
    edge.outage = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" ".repeat(100_000)), 1);
      response.once("close", () => clearInterval(drip));
    };
    await expect(mapperOf({ maxBytes: 1_000_000, startTimeoutMs: 500 }).start()).rejects.toMatchObject({
      kind: "too-large",
    });
    edge.outage = null;
    await expect(mapperOf({ maxBytes: 100, startTimeoutMs: 500 }).start()).rejects.toMatchObject({ kind: "too-large" });
    edge.serve(aMap(1, [oneInstance(1), oneInstance(2), oneInstance(3)]));
    await expect(mapperOf({ maxEnds: 2, startTimeoutMs: 500 }).start()).rejects.toMatchObject({ kind: "too-large" });
  });

  it("follows a redirect of the same server, and takes the key to no other", async () => {
    const thief = await new Edge(aMap(1)).open();
    try {
      edge.faults.push((request, response) => void response.writeHead(307, { location: `${request.url}` }).end());
      await started();
      edge.outage = (request, response) =>
        void response.writeHead(302, { location: `${thief.url}${request.url}` }).end();
      await expect(mapperOf().start()).rejects.toMatchObject({ kind: "redirected" });
      edge.outage = (request, response) => void response.writeHead(302, { location: `${request.url}` }).end();
      await expect(mapperOf().start()).rejects.toThrow("in circles");
      expect(thief.seen).toEqual([]);
    } finally {
      await thief.close();
    }
  });

  it("uses the last map no more when it is older than allowed", async () => {
    const mapper = await started({ maxAgeMs: 200, onUnknown: "reject" });
    edge.outage = (_, response) => void response.destroy();
    await edge.close();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("it to be too old", () => mapper.map("10.0.5.5", 11_222) === null);
  });

  it("is not confused by stop() and start() at any time", async () => {
    const mapper = mapperOf();
    const starting = mapper.start().catch((error: MapError) => error.kind);
    await mapper.stop();
    expect(await starting).toBe("stopped");
    await mapper.start();
    await Promise.all([mapper.stop(), mapper.stop()]);
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("nobody to wait", () => edge.waiting === 0);
  });
});

describe("the copy on disk", () => {
  it("is used at a start while the control plane is away, with its age, and replaced when it is back", async () => {
    const cacheFile = path.join(folder, "map.json");
    await (await started({ cacheFile })).stop();
    expect((await stat(cacheFile)).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(await readFile(cacheFile, "utf8"));
    await writeFile(cacheFile, JSON.stringify({ ...kept, confirmedAt: kept.confirmedAt - 60_000 }));
    await edge.close();
    const mapper = await started({ cacheFile });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.current).toMatchObject({ source: "disk" });
    expect(mapper.current?.ageMs).toBeGreaterThanOrEqual(60_000);
    edge.serve(moved(2, 31_002));
    await edge.open();
    await until("the change", () => portOf(mapper) === 31_002);
    expect(mapper.current).toMatchObject({ source: "server" });
    await mapper.stop();
    expect(JSON.parse(await readFile(cacheFile, "utf8")).map.generation).toBe(2);
    expect(await readdir(folder)).toEqual(["map.json"]);
  });

  it("does not wait long for a control plane that is silent", async () => {
    const cacheFile = path.join(folder, "map.json");
    await (await started({ cacheFile })).stop();
    edge.outage = () => {};
    const began = performance.now();
    await started({ cacheFile, requestTimeoutMs: 60_000, startTimeoutMs: 60_000 });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("does not stand in for a control plane that refuses", async () => {
    const cacheFile = path.join(folder, "map.json");
    await (await started({ cacheFile })).stop();
    await expect(mapperOf({ cacheFile, apiKey: "fl_wrong" }).start()).rejects.toMatchObject({ kind: "refused" });
  });

  it.each([
    ["half a file", '{"format":"fairlead-address-map/1","map":{"exp'],
    ["another file", '{"some":"thing"}'],
    ["nothing", ""],
    [
      "a hostile map",
      JSON.stringify({ format: "fairlead-address-map/1", map: { ...aMap(1), entries: [{ ports: "x" }] } }),
    ],
    [
      "another exposure's",
      JSON.stringify({ format: "fairlead-address-map/1", map: { ...aMap(1), exposureId: "exp_x" } }),
    ],
  ])("is left alone when it is %s", async (_, text) => {
    const cacheFile = path.join(folder, "map.json");
    await writeFile(cacheFile, text);
    const mapper = await started({ cacheFile });
    expect(mapper.problems.map(({ kind }) => kind)).toEqual(["malformed"]);
    expect(mapper.current).toMatchObject({ source: "server" });
  });

  it("that can't be written harms nothing", async () => {
    const mapper = await started({ cacheFile: path.join(folder, "no", "such", "folder.json") });
    await until("the problem", () => mapper.problems.length === 1);
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(existsSync(path.join(folder, "no"))).toBe(false);
  });
});

describe("figures", () => {
  it("are there as an object and in Prometheus' text format", async () => {
    const mapper = await started({ onUnknown: "reject" });
    mapper.map("10.0.5.5", 11_222);
    mapper.map("10.9.9.9", 1);
    expect(mapper.stats()).toMatchObject({
      lookups: { hit: 1, pending: 0, unknown: 1, bypassed: 0 },
      refreshes: { changed: 1, failed: 0 },
      ...{ generation: 1, entries: 1, changes: 0, restores: 0 },
    });
    const page = mapper.metrics();
    expect(page).toContain(`fairlead_client_lookups_total{exposure="${exposureId}",result="hit"} 1\n`);
    expect(page).toContain(`fairlead_client_map_generation{exposure="${exposureId}"} 1\n`);
    expect(page).toMatch(/^fairlead_client_map_age_seconds\{exposure="exp_\w+"\} \d+(\.\d+)?$/m);
    expect(page.match(/^# TYPE /gm)?.length).toBe(7);
  });
});

describe("options", () => {
  const base = { url: "https://fairlead.example", exposureId };
  it.each([
    ["url", { url: "fairlead.example" }, "url: give the address"],
    ["a url with a password", { url: "https://a:b@fairlead.example" }, "url: leave user and password out"],
    ["exposureId", { exposureId: "../secrets" }, "exposureId: give the id"],
    ["apiKey", { apiKey: "fl_a\nb" }, "apiKey: it holds a space or a line break"],
    ["internalNetworks", { internalNetworks: ["10.0.0.0"] }, 'internalNetworks: "10.0.0.0" is no network'],
    ["waitSeconds", { waitSeconds: 0 }, "waitSeconds: from 1 to 60"],
    ["requestTimeoutMs", { requestTimeoutMs: Number.NaN }, "requestTimeoutMs: from 1"],
  ])("refuses what can't work, by name: %s", (_, options, message) => {
    expect(() => new AddressMapper({ ...base, ...options })).toThrow(message);
  });
});

const named: Record<string, (typeof edge.faults)[number]> = {
  "hangs in the middle": (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"exposureId":');
  },
  "cuts its JSON": (_, response) => {
    const text = JSON.stringify(aMap(9));
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, 40), () => response.destroy());
  },
  "answers 500": (_, response) => problem(response, 500, "Something broke on our side."),
  "answers HTML": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in</p>"),
  closes: (_, response) => void response.destroy(),
  "is no map": (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end('{"entries":[null]}'),
};

const faults = Object.values(named);

/** A row of chances that is the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
