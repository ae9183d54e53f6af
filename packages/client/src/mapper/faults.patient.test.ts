import { describe, expect, it } from "vitest";
import type { MapError } from "../errors.ts";
import { Edge, problem } from "../testing/edge.ts";
import { faultsByName } from "../testing/faults.ts";
import { Mappers, moved, outside, portOf } from "../testing/mappers.ts";
import { aMap, oneInstance, until } from "../testing/maps.ts";

const stage = new Mappers();

describe("faults", () => {
  it.each(["hangs in the middle", "cuts its JSON", "answers 500", "answers HTML", "closes", "is no map"])(
    "keeps the last good map while the control plane %s, and follows again afterwards",
    async (name) => {
      const mapper = await stage.start({ requestTimeoutMs: 300 });
      await until("a waiting question", () => stage.edge.waiting === 1);
      stage.edge.outage = faultsByName[name] ?? null;
      expect(stage.edge.outage).not.toBeNull();
      stage.edge.serve(stage.edge.map); // lets go of the question that waits
      await until("failures", () => mapper.problems.length >= 2);
      expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
      expect(mapper.stats().refreshes.failed).toBeGreaterThanOrEqual(2);
      expect(mapper.current?.ageMs).toBeGreaterThan(0);
      stage.edge.outage = null;
      stage.edge.serve(moved(2, 31_002));
      await until("the change", () => portOf(mapper) === 31_002, 10_000);
    },
  );

  it("waits as long as it is told to by 429, and not less", async () => {
    const mapper = await stage.start();
    await until("a waiting question", () => stage.edge.waiting === 1);
    stage.edge.faults.push((_, response) => problem(response, 429, "Too many requests.", { "retry-after": "1" }));
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited", status: 429, retryAfterMs: 1_000 });
    const before = stage.edge.seen.length;
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited" });
    expect(stage.edge.seen.length).toBe(before);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    await mapper.refresh();
  });

  it("refuses a start with a key that is refused, in the control plane's words and without the key", async () => {
    const mapper = stage.make({ apiKey: "fl_wrong" });
    const error: MapError = await mapper.start().catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "refused", status: 401 });
    expect(error.message).toBe(`${stage.edge.url} answers 401: You are signed out. Sign in, or send an API key.`);
    expect(JSON.stringify(error) + error.stack).not.toContain("fl_wrong");
  });

  it("refuses a start for an exposure that is not there, and can be started again", async () => {
    const mapper = stage.make({ exposureId: "exp_other" });
    await expect(mapper.start()).rejects.toMatchObject({ kind: "not-found" });
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    stage.edge.serve({ ...aMap(1), exposureId: "exp_other" });
    await mapper.start();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("goes on with the last good map when its key is revoked", async () => {
    const mapper = await stage.start();
    await until("a waiting question", () => stage.edge.waiting === 1);
    stage.edge.key = "fl_another";
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "refused" });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("waits for a control plane that starts a little later", async () => {
    await stage.edge.close();
    const mapper = stage.make();
    const starting = mapper.start();
    await until("a failure", () => mapper.problems.length > 0);
    await stage.edge.open();
    await starting;
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("gives up a start in time, whether nobody is there or somebody is silent", async () => {
    stage.edge.outage = () => {};
    for (const isThere of [true, false]) {
      if (!isThere) await stage.edge.close();
      const began = performance.now();
      await expect(stage.make({ startTimeoutMs: 300 }).start()).rejects.toMatchObject({ kind: "unavailable" });
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  it("refuses an answer that is too long, told or not, and a map with too many ports", async () => {
    stage.edge.outage = (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => response.write(" ".repeat(100_000)), 1);
      response.once("close", () => clearInterval(drip));
    };
    await expect(stage.make({ maxBytes: 1_000_000, startTimeoutMs: 500 }).start()).rejects.toMatchObject({
      kind: "too-large",
    });
    stage.edge.outage = null;
    await expect(stage.make({ maxBytes: 100, startTimeoutMs: 500 }).start()).rejects.toMatchObject({
      kind: "too-large",
    });
    stage.edge.serve(aMap(1, [oneInstance(1), oneInstance(2), oneInstance(3)]));
    await expect(stage.make({ maxEnds: 2, startTimeoutMs: 500 }).start()).rejects.toMatchObject({ kind: "too-large" });
  });

  it("follows a redirect of the same server, and takes the key to no other", async () => {
    const thief = await new Edge(aMap(1)).open();
    try {
      stage.edge.faults.push((request, response) => void response.writeHead(307, { location: `${request.url}` }).end());
      await stage.start();
      stage.edge.outage = (request, response) =>
        void response.writeHead(302, { location: `${thief.url}${request.url}` }).end();
      await expect(stage.make().start()).rejects.toMatchObject({ kind: "redirected" });
      stage.edge.outage = (request, response) => void response.writeHead(302, { location: `${request.url}` }).end();
      await expect(stage.make().start()).rejects.toThrow("in circles");
      expect(thief.seen).toEqual([]);
    } finally {
      await thief.close();
    }
  });

  it("uses the last map no more when it is older than allowed", async () => {
    const mapper = await stage.start({ maxAgeMs: 200, onUnknown: "reject" });
    stage.edge.outage = (_, response) => void response.destroy();
    await stage.edge.close();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("it to be too old", () => mapper.map("10.0.5.5", 11_222) === null);
  });

  it("is not confused by stop() and start() at any time", async () => {
    const mapper = stage.make();
    const starting = mapper.start().catch((error: MapError) => error.kind);
    await mapper.stop();
    expect(await starting).toBe("stopped");
    await mapper.start();
    await Promise.all([mapper.stop(), mapper.stop()]);
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("nobody to wait", () => stage.edge.waiting === 0);
  });
});
