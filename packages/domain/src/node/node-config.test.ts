import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import { nodeSettings } from "./node.ts";
import { compileNodeConfig } from "./node-config.ts";

describe("a compiled config", () => {
  it("has the node's settings for an agent of the role node", () => {
    const settings = nodeSettings.parse({ sampleIntervalMs: 2_000, excludedInterfaces: ["veth*", "lo", "veth*"] });
    expect(compileNodeConfig({ settings, agent: { roles: ["node"] } })).toEqual({
      reportIntervalMs: 5_000,
      node: { sampleIntervalMs: 2_000, excludedInterfaces: ["lo", "veth*"] },
    });
  });

  it("has no node part for an agent of another role", () => {
    expect(compileNodeConfig({ settings: nodeSettings.parse({}), agent: { roles: ["balancer"] } }).node).toBeNull();
  });

  it("does not depend on the order of interfaces", () => {
    const digest = (excludedInterfaces: string[]) =>
      canonicalJson(
        compileNodeConfig({ settings: nodeSettings.parse({ excludedInterfaces }), agent: { roles: ["node"] } }),
      );
    expect(digest(["b", "a"])).toBe(digest(["a", "b", "a"]));
  });
});

describe("canonical JSON", () => {
  it.each([
    ["sorts keys", { b: 1, a: { d: 2, c: [3, { f: 1, e: 2 }] } }, '{"a":{"c":[3,{"e":2,"f":1}],"d":2},"b":1}'],
    ["keeps the order of lists", [2, 1], "[2,1]"],
    ["distinguishes null and absent", { a: null, b: undefined }, '{"a":null}'],
    ["plain values", "x", '"x"'],
  ])("%s", (_, value, want) => {
    expect(canonicalJson(value)).toBe(want);
  });

  it("is the same after a round trip through the database", () => {
    const value = { z: 1, a: [{ y: "ü", x: null }] };
    expect(canonicalJson(JSON.parse(JSON.stringify({ a: value.a, z: value.z })))).toBe(canonicalJson(value));
  });
});
