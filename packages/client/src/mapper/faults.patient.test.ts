import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MapError } from "../errors.ts";
import { Edge, problem } from "../testing/edge.ts";
import { faultsByName } from "../testing/faults.ts";
import { Mappers, moved, outside, portOf } from "../testing/mappers.ts";
import { aMap, oneInstance, until } from "../testing/maps.ts";

const stage = new Mappers();

describe("faults", () => {
  it.each([
    "stalls mid-response",
    "truncates its JSON",
    "returns 500",
    "returns HTML",
    "closes the connection",
    "returns an invalid map",
  ])("keeps the last good map while the control plane %s, and follows again afterwards", async (name) => {
    const mapper = await stage.start({ requestTimeoutMs: 300 });
    await until("a long poll", () => stage.edge.waiting === 1);
    stage.edge.outage = faultsByName[name] ?? null;
    expect(stage.edge.outage).not.toBeNull();
    stage.edge.serve(stage.edge.map); // ends the long poll
    await until("failures", () => mapper.problems.length >= 2);
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.stats().refreshes.failed).toBeGreaterThanOrEqual(2);
    expect(mapper.current?.ageMs).toBeGreaterThan(0);
    stage.edge.outage = null;
    stage.edge.serve(moved(2, 31_002));
    await until("the change", () => portOf(mapper) === 31_002);
  });

  it("waits at least as long as the Retry-After of a 429", async () => {
    const mapper = await stage.start();
    await until("a long poll", () => stage.edge.waiting === 1);
    stage.edge.faults.push((_, response) => problem(response, 429, "Too many requests.", { "retry-after": "3" }));
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited", status: 429, retryAfterMs: 3_000 });
    const before = stage.edge.seen.length;
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "rate-limited" });
    expect(stage.edge.seen.length).toBe(before);
    await sleep(3_050);
    await mapper.refresh();
  });

  it("fails to start with a rejected key, with the control plane's message and without the key", async () => {
    const mapper = stage.make({ apiKey: "fl_wrong" });
    const error: MapError = await mapper.start().catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "refused", status: 401 });
    expect(error.message).toBe(`${stage.edge.url} returned 401: You are signed out. Sign in, or send an API key.`);
    expect(JSON.stringify(error) + error.stack).not.toContain("fl_wrong");
  });

  it("fails to start for an unknown exposure, and can be started again", async () => {
    const mapper = stage.make({ exposureId: "exp_other" });
    await expect(mapper.start()).rejects.toMatchObject({ kind: "not-found" });
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    stage.edge.serve({ ...aMap(1), exposureId: "exp_other" });
    await mapper.start();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("keeps the last good map when its key is revoked", async () => {
    const mapper = await stage.start();
    await until("a long poll", () => stage.edge.waiting === 1);
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

  it("fails to start in time if the control plane is unreachable or doesn't respond", async () => {
    stage.edge.outage = () => {};
    for (const isThere of [true, false]) {
      if (!isThere) await stage.edge.close();
      const began = performance.now();
      const mapper = stage.make({ startTimeoutMs: 300, requestTimeoutMs: 60_000 });
      await expect(mapper.start()).rejects.toMatchObject({ kind: "unavailable" });
      // Far below the minute of the request's own timeout, also on a busy machine.
      expect(performance.now() - began).toBeLessThan(20_000);
    }
  });

  it("rejects a response that is too long, with or without content-length, and a map with too many ports", async () => {
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

  it("follows a redirect to the same server, and sends the key to no other", async () => {
    const thief = await new Edge(aMap(1)).open();
    try {
      stage.edge.faults.push((request, response) => void response.writeHead(307, { location: `${request.url}` }).end());
      await stage.start();
      stage.edge.outage = (request, response) =>
        void response.writeHead(302, { location: `${thief.url}${request.url}` }).end();
      await expect(stage.make().start()).rejects.toMatchObject({ kind: "redirected" });
      stage.edge.outage = (request, response) => void response.writeHead(302, { location: `${request.url}` }).end();
      await expect(stage.make().start()).rejects.toThrow("too many times");
      expect(thief.seen).toEqual([]);
    } finally {
      await thief.close();
    }
  });

  it("stops using the last map when it is older than maxAgeMs", async () => {
    const mapper = await stage.start({ maxAgeMs: 3_000, onUnknown: "reject" });
    stage.edge.outage = (_, response) => void response.destroy();
    await stage.edge.close();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("it to be too old", () => mapper.map("10.0.5.5", 11_222) === null);
  });

  it("allows stop() and start() at any time", async () => {
    const mapper = stage.make();
    const starting = mapper.start().catch((error: MapError) => error.kind);
    await mapper.stop();
    expect(await starting).toBe("stopped");
    await mapper.start();
    await Promise.all([mapper.stop(), mapper.stop()]);
    await expect(mapper.refresh()).rejects.toMatchObject({ kind: "stopped" });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    await until("no long poll", () => stage.edge.waiting === 0);
  });
});
