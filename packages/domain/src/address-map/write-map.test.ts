import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { AddressMap, AddressMapEntry } from "./address-map.ts";
import { writeMapCompact, writeMapEnv, writeMapJson, writeMapYaml } from "./write-map.ts";

const entry = (change: Partial<AddressMapEntry> = {}): AddressMapEntry => ({
  instance: "redis-0",
  pod: "redis-0",
  node: "node-a",
  internalAddress: "10.0.0.1",
  externalAddress: "192.0.2.1",
  ports: [{ name: "redis", protocol: "tcp", internal: 6379, external: 6379 }],
  ready: true,
  since: new Date("2026-01-01T00:00:01.250Z"),
  generation: 3,
  ...change,
});
const map = (...entries: AddressMapEntry[]): AddressMap => ({
  exposureId: "exp_1",
  generation: 7,
  observedAt: new Date("2026-01-02T00:00:00Z"),
  entries,
});

const hostile = [
  "yes",
  "null",
  "1e3",
  "a: b",
  "- x",
  "# no comment",
  "'; rm -rf / #",
  'quote " and \\ back',
  "line\nentries: []",
  "tab\tcr\r",
  "&anchor *alias !!tag",
  "\u0085\u2028\u2029\ufeff",
  "\u007f\u0000\u001b[31m",
  "$HOME $(id) `id`",
  "Größe 🚢",
  "",
];

describe("a map as YAML", () => {
  it("has the same fields as JSON", () => {
    const whole = map(
      entry(),
      entry({ instance: "redis-1", pod: null, node: null, ready: false, externalAddress: "lb.example.com" }),
      entry({ internalAddress: "2001:db8::1", externalAddress: "2001:db8:1::1" }),
      entry({ internalAddress: "10.0.0.3", serverName: "redis-0.example.com" }),
      entry({
        ports: [
          { protocol: "tcp", internal: 1, external: 2 },
          { protocol: "udp", internal: 3, external: 4 },
        ],
      }),
    );
    expect(parse(writeMapYaml(whole))).toEqual(JSON.parse(writeMapJson(whole)));
    expect(parse(writeMapYaml({ ...map(), observedAt: null }))).toEqual(
      JSON.parse(writeMapJson({ ...map(), observedAt: null })),
    );
  });

  it.each(hostile)("quotes names: %j", (name) => {
    const whole = map(entry({ instance: name, pod: name, node: name, externalAddress: name }));
    expect(parse(writeMapYaml(whole))).toEqual(JSON.parse(writeMapJson(whole)));
  });
});

describe("the compact form", () => {
  it("has one pair for each internal address", () => {
    const text = writeMapCompact(
      map(
        entry(),
        entry({ externalAddress: "192.0.2.9" }),
        entry({ instance: "redis-1", internalAddress: "10.0.0.2", externalAddress: "192.0.2.2" }),
      ),
    );
    expect(text).toBe(
      'runtime-configuration:\n  external-mapping:\n    - "10.0.0.1:192.0.2.1"\n    - "10.0.0.2:192.0.2.2"\n',
    );
  });

  it("puts IPv6 addresses in brackets, so that the separating colon is unambiguous", () => {
    const text = writeMapCompact(
      map(
        entry({ internalAddress: "2001:db8::1", externalAddress: "2001:db8:1::1" }),
        entry({ internalAddress: "10.0.0.1", externalAddress: "2001:db8:1::2" }),
      ),
    );
    expect(parse(text)).toEqual({
      "runtime-configuration": { "external-mapping": ["[2001:db8::1]:[2001:db8:1::1]", "10.0.0.1:[2001:db8:1::2]"] },
    });
  });

  it.each(hostile)("has a comment for what it can't express, without injection: %j", (name) => {
    const text = writeMapCompact(map(entry(), entry({ instance: name, externalAddress: "lb.example.com" })));
    expect(parse(text)).toEqual({ "runtime-configuration": { "external-mapping": ["10.0.0.1:192.0.2.1"] } });
    expect(text.split("\n")[0]).toMatch(/^# ".*" is reached by a host name/);
  });

  it("has a comment for an instance that needs a server name: the address alone may lead to any instance", () => {
    const text = writeMapCompact(map(entry({ serverName: "redis-0.example.com" }), entry({ instance: "redis-1" })));
    expect(parse(text)).toEqual({ "runtime-configuration": { "external-mapping": ["10.0.0.1:192.0.2.1"] } });
    expect(text.split("\n")[0]).toBe(`# "redis-0" is reached by a TLS server name, which this format doesn't support.`);
  });

  it("has a comment for an instance with other ports outside: the pair alone leads to a wrong port", () => {
    const ports = [{ protocol: "tcp" as const, internal: 6379, external: 7001 }];
    const text = writeMapCompact(map(entry(), entry({ instance: "redis-1", internalAddress: "10.0.0.2", ports })));
    expect(parse(text)["runtime-configuration"]["external-mapping"]).toEqual([
      "10.0.0.1:192.0.2.1",
      "10.0.0.2:192.0.2.1",
    ]);
    expect(text.split("\n")[0]).toBe(`# "redis-1" has other ports outside, which this format doesn't support.`);
  });

  it("is an empty list for an empty map", () => {
    expect(parse(writeMapCompact(map()))).toEqual({ "runtime-configuration": { "external-mapping": [] } });
  });
});

describe("the map as shell variables", () => {
  it("has one for each instance, or for each of its ports", () => {
    const two = entry({
      instance: "redis-1",
      internalAddress: "2001:db8::1",
      ports: [
        { protocol: "tcp", internal: 6379, external: 7001 },
        { protocol: "udp", internal: 6379, external: 7002 },
      ],
    });
    expect(writeMapEnv(map(entry(), two, entry({ instance: "redis.0" })))).toBe(
      [
        "MAP_EXPOSURE='exp_1'",
        "MAP_GENERATION=7",
        "MAP_REDIS_0='10.0.0.1:6379=192.0.2.1:6379'",
        "MAP_REDIS_1_6379='[2001:db8::1]:6379=192.0.2.1:7001'",
        "MAP_REDIS_1_6379_UDP='[2001:db8::1]:6379=192.0.2.1:7002'",
        "MAP_REDIS_0_2='10.0.0.1:6379=192.0.2.1:6379'",
        "",
      ].join("\n"),
    );
  });

  const two = [6379, 16_379].map((port) => ({ protocol: "tcp" as const, internal: port, external: port }));
  const same = [7001, 7002].map((external) => ({ protocol: "tcp" as const, internal: 6379, external }));
  it.each<[string, AddressMapEntry[], string[]]>([
    [
      "an instance whose name is another one's with a number",
      ["redis-0-2", "redis-0", "redis.0"].map((instance) => entry({ instance })),
      ["MAP_REDIS_0_2", "MAP_REDIS_0", "MAP_REDIS_0_3"],
    ],
    ["an instance named like a field", [entry({ instance: "exposure" })], ["MAP_EXPOSURE_2"]],
    [
      "an instance named like a port of another one",
      [entry({ ports: two }), entry({ instance: "redis-0-16379" })],
      ["MAP_REDIS_0_6379", "MAP_REDIS_0_16379", "MAP_REDIS_0_16379_2"],
    ],
    [
      "an instance with a port like another one's name",
      [entry({ instance: "redis-0-16379" }), entry({ ports: two })],
      ["MAP_REDIS_0_16379", "MAP_REDIS_0_2_6379", "MAP_REDIS_0_2_16379"],
    ],
    ["one internal port behind two", [entry({ ports: same })], ["MAP_REDIS_0_6379", "MAP_REDIS_0_6379_2"]],
  ])("has each name once: %s", (_what, entries, want) => {
    const names = writeMapEnv(map(...entries)).match(/^\w+/gm);
    expect(names).toEqual(["MAP_EXPOSURE", "MAP_GENERATION", ...want]);
  });

  it.each(hostile)("allows no shell injection and no line breaks: %j", (name) => {
    const lines = writeMapEnv(map(entry({ instance: name, externalAddress: name })))
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^MAP_[A-Z0-9_]*=(\d+|'(?:[^']|'\\'')*')$/);
  });
});
