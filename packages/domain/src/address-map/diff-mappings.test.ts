import { describe, expect, it } from "vitest";
import type { ObservedMapping } from "../exposure/exposure-state.ts";
import { diffMappings } from "./diff-mappings.ts";

const mapping = (change: Partial<ObservedMapping> = {}): ObservedMapping => ({
  instance: "redis-0",
  pod: "redis-0",
  node: "node-a",
  protocol: "tcp",
  internalAddress: "10.0.0.1",
  internalPort: 6379,
  externalAddress: "192.0.2.1",
  externalPort: 6379,
  ready: true,
  ...change,
});
const bus = (change: Partial<ObservedMapping> = {}) =>
  mapping({ internalPort: 16_379, externalPort: 16_379, ...change });
const changesOf = (before: ObservedMapping[], after: ObservedMapping[]) =>
  diffMappings(before, after).map(({ instance, what }) => `${instance} ${what}`);

describe("the changes of a map", () => {
  it.each<[string, ObservedMapping[], ObservedMapping[], string[]]>([
    ["nothing when only the order differs", [mapping(), bus()], [bus(), mapping()], []],
    ["a new instance", [], [mapping(), bus()], ["redis-0 added"]],
    ["a removed instance", [mapping()], [], ["redis-0 removed"]],
    ["a new external address", [mapping()], [mapping({ externalAddress: "192.0.2.2" })], ["redis-0 moved"]],
    ["a new external port", [mapping()], [mapping({ externalPort: 7_000 })], ["redis-0 moved"]],
    ["a server name", [mapping()], [mapping({ serverName: "redis-0.example.com" })], ["redis-0 moved"]],
    ["an additional port", [mapping()], [mapping(), bus()], ["redis-0 moved"]],
    ["the same name in another pod", [mapping()], [mapping({ internalAddress: "10.0.0.9" })], ["redis-0 moved"]],
    ["another node", [mapping()], [mapping({ node: "node-b" })], ["redis-0 moved"]],
    ["an instance that becomes ready", [mapping({ ready: false })], [mapping()], ["redis-0 ready"]],
    [
      "an instance with a port that isn't ready",
      [mapping(), bus()],
      [mapping(), bus({ ready: false })],
      ["redis-0 unready"],
    ],
    [
      "another instance behind the same internal end",
      [mapping()],
      [mapping({ instance: "redis-1" })],
      ["redis-0 removed", "redis-1 added"],
    ],
    [
      "an additional family, without a change of the other",
      [mapping()],
      [mapping(), mapping({ internalAddress: "2001:db8::1", externalAddress: "2001:db8:1::1" })],
      ["redis-0 added"],
    ],
  ])("are %s", (_, before, after, want) => {
    expect(changesOf(before, after)).toEqual(want);
  });

  it("have the state before and after", () => {
    const [change] = diffMappings([mapping()], [mapping({ ready: false }), bus()]);
    const end = {
      protocol: "tcp",
      internalAddress: "10.0.0.1",
      internalPort: 6379,
      externalAddress: "192.0.2.1",
      externalPort: 6379,
    };
    expect(change).toEqual({
      instance: "redis-0",
      what: "moved",
      before: { pod: "redis-0", node: "node-a", ready: true, ends: [{ ...end, ready: true }] },
      after: {
        pod: "redis-0",
        node: "node-a",
        ready: false,
        ends: [
          { ...end, ready: false },
          { ...end, internalPort: 16_379, externalPort: 16_379, ready: true },
        ],
      },
    });
  });
});
