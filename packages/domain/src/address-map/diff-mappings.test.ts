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
const said = (before: ObservedMapping[], after: ObservedMapping[]) =>
  diffMappings(before, after).map(({ instance, what }) => `${instance} ${what}`);

describe("what a client of a map has to learn", () => {
  it.each<[string, ObservedMapping[], ObservedMapping[], string[]]>([
    ["nothing when all is as it was, in another order", [mapping(), bus()], [bus(), mapping()], []],
    ["an instance that came", [], [mapping(), bus()], ["redis-0 added"]],
    ["one that went", [mapping()], [], ["redis-0 removed"]],
    ["a new external address", [mapping()], [mapping({ externalAddress: "192.0.2.2" })], ["redis-0 moved"]],
    ["a new external port", [mapping()], [mapping({ externalPort: 7_000 })], ["redis-0 moved"]],
    ["a name to ask for", [mapping()], [mapping({ serverName: "redis-0.example.com" })], ["redis-0 moved"]],
    ["a port more", [mapping()], [mapping(), bus()], ["redis-0 moved"]],
    ["the same name in another pod", [mapping()], [mapping({ internalAddress: "10.0.0.9" })], ["redis-0 moved"]],
    ["another node", [mapping()], [mapping({ node: "node-b" })], ["redis-0 moved"]],
    ["that it is ready", [mapping({ ready: false })], [mapping()], ["redis-0 ready"]],
    ["that one of its ports is not", [mapping(), bus()], [mapping(), bus({ ready: false })], ["redis-0 unready"]],
    [
      "another instance behind the same internal end",
      [mapping()],
      [mapping({ instance: "redis-1" })],
      ["redis-0 removed", "redis-1 added"],
    ],
    [
      "a family more, and the other is left alone",
      [mapping()],
      [mapping(), mapping({ internalAddress: "2001:db8::1", externalAddress: "2001:db8:1::1" })],
      ["redis-0 added"],
    ],
  ])("is %s", (_, before, after, want) => {
    expect(said(before, after)).toEqual(want);
  });

  it("is told with what was and what is", () => {
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
