import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Mappers, outside } from "../testing/mappers.ts";
import { aMap, exposureId, oneInstance, until } from "../testing/maps.ts";
import { AddressMapper } from "./address-mapper.ts";

const stage = new Mappers();

describe("looking up", () => {
  it("maps internal to external and back, in any spelling of the address", async () => {
    const six = oneInstance(6, { internalAddress: "fd00::6", externalAddress: "2001:db8::6" });
    stage.edge.serve(aMap(1, [oneInstance(5), six]));
    const mapper = await stage.start();
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.map("::ffff:10.0.5.5", 11_222)).toEqual(outside);
    expect(mapper.map("[FD00:0:0::6]", 11_222)).toEqual({ host: "2001:db8::6", port: 30_006 });
    expect(mapper.reverse("203.0.113.5", 30_005)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect(mapper.reverse("203.0.113.5", 1)).toBeNull();
    expect(mapper.entries()).toHaveLength(2);
  });

  it("returns an external address unchanged", async () => {
    const mapper = await stage.start({ onUnknown: "reject" });
    expect(mapper.map("203.0.113.5", 30_005)).toEqual(outside);
  });

  it("returns the server name for an address that instances share, and maps it back", async () => {
    const shared = (number: number) =>
      oneInstance(number, {
        ...{ externalAddress: "203.0.113.1", serverName: `grid-${number}.example.com` },
        ports: [{ name: null, protocol: "tcp", internal: 11_222, external: 443 }],
      });
    stage.edge.serve(aMap(1, [shared(5), shared(6)]));
    const mapper = await stage.start({ onUnknown: "reject" });
    const end = { host: "203.0.113.1", port: 443 };
    expect(mapper.map("10.0.5.6", 11_222)).toEqual({ ...end, serverName: "grid-6.example.com" });
    expect(mapper.map(end.host, end.port)).toEqual(end);
    expect(mapper.reverse(end.host, end.port)).toBeNull();
    expect(mapper.reverse("Grid-6.example.com", 443)).toEqual({ host: "10.0.5.6", port: 11_222 });
  });

  it("distinguishes ports and protocols", async () => {
    const mapper = await stage.start({ onUnknown: "reject" });
    expect(mapper.map("10.0.5.5", 11_223)).toBeNull();
    expect(mapper.map("10.0.5.5", 11_222, "udp")).toBeNull();
  });

  it.each([
    ["pass", { host: "10.9.9.9", port: 1 }],
    ["reject", null],
    ["refresh", null],
  ] as const)("applies the policy for an unknown address: %s", async (onUnknown, expected) => {
    const mapper = await stage.start({ onUnknown });
    expect(mapper.map("10.9.9.9", 1)).toEqual(expected);
  });

  it("does not return an internal address as mapped while the instance has no external one", async () => {
    stage.edge.serve(aMap(1, [oneInstance(5, { externalAddress: null })]));
    const mapper = await stage.start({ onUnknown: "reject" });
    expect(mapper.map("10.0.5.5", 11_222)).toBeNull();
    expect(mapper.stats().lookups).toEqual({ hit: 0, pending: 1, unknown: 0, bypassed: 0 });
  });

  it("prefers ready entries of an instance, then entries with an external address", async () => {
    const ready = oneInstance(5, { externalAddress: "203.0.113.77" });
    stage.edge.serve(aMap(1, [oneInstance(5, { externalAddress: null }), oneInstance(5, { ready: false }), ready]));
    expect((await stage.start()).map("10.0.5.5", 11_222)?.host).toBe("203.0.113.77");
  });

  it("maps additional names of instances", async () => {
    const mapper = await stage.start({ namesOf: ({ pod }) => [`${pod}.grid.default.svc.cluster.local`] });
    expect(mapper.map("Grid-5.grid.default.svc.cluster.local.", 11_222)).toEqual(outside);
  });

  it("reads the map at once when an address is unknown and the policy is refresh", async () => {
    const mapper = await stage.start({ onUnknown: "refresh" });
    await until("a long poll", () => stage.edge.waiting === 1);
    const before = stage.edge.seen.length;
    expect(mapper.map("10.9.9.9", 1)).toBeNull();
    expect(mapper.map("10.9.9.8", 1)).toBeNull();
    await until("a read without waiting", () => stage.edge.seen.slice(before).some(({ query }) => !query.has("wait")));
    await sleep(50);
    expect(stage.edge.seen.slice(before)).toHaveLength(1);
  });

  it("sends one request for concurrent lookups of unknown addresses, and looks up known ones in memory", async () => {
    const mapper = await stage.start({ onUnknown: "reject" });
    await until("a long poll", () => stage.edge.waiting === 1);
    const before = stage.edge.seen.length;
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => mapper.resolve("10.9.9.9", i + 1)));
    expect(new Set(answers)).toEqual(new Set([null]));
    expect(await mapper.resolve("10.0.5.5", 11_222)).toEqual(outside);
    expect(stage.edge.seen.length - before).toBe(1);
  });

  it("resolves an address that the read returns", async () => {
    const mapper = await stage.start({ onUnknown: "reject" });
    await until("a long poll", () => stage.edge.waiting === 1);
    stage.edge.serve(aMap(2, [oneInstance(5), oneInstance(9)]), { wakes: false });
    expect(mapper.map("10.0.5.9", 11_222)).toBeNull();
    expect(await mapper.resolve("10.0.5.9", 11_222)).toEqual({ host: "203.0.113.9", port: 30_009 });
  });
});

describe("network location", () => {
  it("bypasses the map inside the network", async () => {
    const mapper = await stage.start({ needsMapping: "auto", internalNetworks: ["127.0.0.0/8"] });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect(mapper.stats().lookups.bypassed).toBe(1);
  });

  it("uses the map outside", async () => {
    const mapper = await stage.start({ needsMapping: "auto", internalNetworks: ["198.18.0.0/15", "fd12::/16"] });
    expect(mapper.map("10.0.5.5", 11_222)).toEqual(outside);
  });

  it("probes an internal address if no networks are set", async () => {
    const probed: string[] = [];
    const probe = (answers: boolean) => async (host: string, port: number) => {
      probed.push(`${host}:${port}`);
      return answers;
    };
    const inside = await stage.start({ needsMapping: "auto", probe: probe(true) });
    expect(inside.map("10.0.5.5", 11_222)).toEqual({ host: "10.0.5.5", port: 11_222 });
    expect((await stage.start({ needsMapping: "auto", probe: probe(false) })).map("10.0.5.5", 11_222)).toEqual(outside);
    expect(probed).toEqual(["10.0.5.5:11222", "10.0.5.5:11222"]);
  });

  it("calls a function, and maps when it throws", async () => {
    const mapper = await stage.start({
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

describe("statistics", () => {
  it("are available as an object and in Prometheus' text format", async () => {
    const mapper = await stage.start({ onUnknown: "reject" });
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
    ["url", { url: "fairlead.example" }, "url: expected the URL"],
    ["a url with a password", { url: "https://a:b@fairlead.example" }, "url: remove user and password"],
    ["exposureId", { exposureId: "../secrets" }, "exposureId: expected an exposure ID"],
    ["apiKey", { apiKey: "fl_a\nb" }, "apiKey: it contains a space or a line break"],
    ["internalNetworks", { internalNetworks: ["10.0.0.0"] }, 'internalNetworks: "10.0.0.0" is not a network'],
    ["waitSeconds", { waitSeconds: 0 }, "waitSeconds: expected 1 to 60"],
    ["requestTimeoutMs", { requestTimeoutMs: Number.NaN }, "requestTimeoutMs: expected 1"],
  ])("rejects invalid options by name: %s", (_, options, message) => {
    expect(() => new AddressMapper({ ...base, ...options })).toThrow(message);
  });
});
