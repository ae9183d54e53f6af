import { describe, expect, it } from "vitest";
import { describeAge } from "../age.ts";
import { type NodeMessageInput, nodeMessage } from "./node-message.ts";

const now = new Date("2026-01-01T00:00:00Z");
const ago = (ms: number) => new Date(now.getTime() - ms);
const input: NodeMessageInput = {
  state: "in-sync",
  configError: "",
  desiredRevision: 3,
  observedRevision: 3,
  lastReportAt: ago(2_000),
};

describe("the status message of a node", () => {
  const table: [string, Partial<NodeMessageInput>][] = [
    ["Runs revision 3; reported 2 s ago.", {}],
    ["Runs revision 3, should run 4; reported 2 s ago.", { state: "out-of-sync", desiredRevision: 4 }],
    [
      "Refuses revision 4 and keeps 3: no such interface.",
      { state: "out-of-sync", desiredRevision: 4, configError: "no such interface" },
    ],
    [
      "Refuses revision 4 and keeps 3: Is it up?",
      { state: "out-of-sync", desiredRevision: 4, configError: "Is it up?" },
    ],
    ["Has no configuration yet; reported 2 s ago.", { state: "out-of-sync", desiredRevision: 0, observedRevision: 0 }],
    ["Silent for 3 min; the data shown is that old.", { state: "silent", lastReportAt: ago(200_000) }],
    ["Has never reported.", { state: "never-seen", lastReportAt: null }],
    ["Its agent is revoked; enrol a new one to bring it back.", { state: "revoked" }],
  ];
  it.each(table)("%s", (want, change) => {
    expect(nodeMessage({ ...input, ...change }, now)).toBe(want);
  });

  it.each<[string, Partial<NodeMessageInput>]>([
    ["Runs revision 3.", {}],
    ["Runs revision 3, should run 4.", { state: "out-of-sync", desiredRevision: 4 }],
    ["Silent; the data shown is that of its last report.", { state: "silent" }],
  ])("has no age without the current time: %s", (want, change) => {
    expect(nodeMessage({ ...input, ...change })).toBe(want);
  });
});

it.each([
  [-1_000, "0 s"],
  [0, "0 s"],
  [999, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_599_999, "59 min"],
  [3_600_000, "1 h"],
  [86_400_000, "1 d"],
  [40 * 86_400_000, "40 d"],
])("an age of %i ms is %s", (ms, want) => {
  expect(describeAge(ms)).toBe(want);
});
