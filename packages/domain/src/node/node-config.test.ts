import { describe, expect, it } from "vitest";
import { canonicalJson } from "../canonical-json.ts";
import { nodeSettings } from "./node.ts";
import { compileNodeConfig } from "./node-config.ts";

describe("a compiled config", () => {
  it("is the node's settings for an agent of the node role", () => {
    const settings = nodeSettings.parse({ sampleIntervalMs: 2_000, excludedInterfaces: ["veth*", "lo", "veth*"] });
    expect(compileNodeConfig({ settings, agent: { roles: ["node"] } })).toEqual({
      reportIntervalMs: 5_000,
      node: { sampleIntervalMs: 2_000, excludedInterfaces: ["lo", "veth*"] },
    });
  });

  it("asks no node facts of an agent of another role", () => {
    expect(compileNodeConfig({ settings: nodeSettings.parse({}), agent: { roles: ["balancer"] } }).node).toBeNull();
  });

  it("does not depend on the order in which interfaces are named", () => {
    const digest = (excludedInterfaces: string[]) =>
      canonicalJson(
        compileNodeConfig({ settings: nodeSettings.parse({ excludedInterfaces }), agent: { roles: ["node"] } }),
      );
    expect(digest(["b", "a"])).toBe(digest(["a", "b", "a"]));
  });
});

describe("canonical JSON", () => {
  it.each([
    ["keys in any order", { b: 1, a: { d: 2, c: [3, { f: 1, e: 2 }] } }, '{"a":{"c":[3,{"e":2,"f":1}],"d":2},"b":1}'],
    ["lists in theirs", [2, 1], "[2,1]"],
    ["null and absent apart", { a: null, b: undefined }, '{"a":null}'],
    ["plain values", "x", '"x"'],
  ])("%s", (_, value, want) => {
    expect(canonicalJson(value)).toBe(want);
  });

  it("of what the database gave back is that of what it was given", () => {
    const value = { z: 1, a: [{ y: "ü", x: null }] };
    expect(canonicalJson(JSON.parse(JSON.stringify({ a: value.a, z: value.z })))).toBe(canonicalJson(value));
  });
});
