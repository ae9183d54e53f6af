import { severityOf } from "@fairlead/domain/event";
import { describe, expect, it } from "vitest";
import type { CheckedReport } from "../check-report.ts";
import { advanceStatus, type NodeStatus } from "./advance-status.ts";

const now = new Date("2026-11-20T12:00:00Z");
const before: NodeStatus = {
  bootId: "b",
  previousBootId: "a",
  sequence: 10,
  observedRevision: 3,
  observedDigest: "three",
  configError: "",
  corrections: 0,
  droppedReports: 0,
  warnings: [],
  version: "1.0.0",
  lastReportAt: new Date("2026-11-20T11:59:55Z"),
  silentSince: null,
};
const ordinary: CheckedReport = {
  bootId: "b",
  sequence: 11,
  observedRevision: 3,
  observedDigest: "three",
  configError: "",
  corrections: 0,
  droppedReports: 0,
  facts: null,
  version: null,
  roles: [],
  warnings: [],
  echoAddress: null,
  balancer: null,
  backend: null,
  adaptive: null,
  bgp: null,
  events: [],
  inventory: null,
  series: [],
  rejectedPoints: 0,
  impossible: null,
};

const rack = { nodeName: "rack-1", roles: ["balancer"], reportIntervalMs: 5_000 };

const off = (age: string) => `Its clock is ${age} ahead of the control plane's: set it.`;

describe("advanceStatus", () => {
  it("records nothing for an ordinary report", () => {
    const advance = advanceStatus(before, ordinary, rack, now);
    expect(advance).toEqual({
      status: { ...before, sequence: 11, lastReportAt: now },
      events: [],
      changed: false,
      came: false,
    });
  });

  it.each<[string, Partial<NodeStatus>, boolean]>([
    ["after one report missed", { lastReportAt: new Date(now.getTime() - 10_000) }, false],
    ["after a silence that a sweep wrote down", { silentSince: before.lastReportAt }, true],
    ["after a silence that no sweep has seen yet", { lastReportAt: new Date(now.getTime() - 16_000) }, true],
  ])("detects whether it was away: %s", (_what, change, came) => {
    expect(advanceStatus({ ...before, ...change }, ordinary, rack, now)?.came).toBe(came);
  });

  it("treats an agent with a long interval as present between two of its reports", () => {
    const minutesAgo = { ...before, lastReportAt: new Date(now.getTime() - 300_000) };
    const rarely = { ...rack, reportIntervalMs: 300_000 };
    expect(advanceStatus(minutesAgo, ordinary, rarely, now)?.came).toBe(false);
  });

  it.each<[string, Partial<CheckedReport>]>([
    ["the same report again", { sequence: 10 }],
    ["an earlier one", { sequence: 3, observedRevision: 2 }],
    ["one of the previous process", { bootId: "a", sequence: 500 }],
  ])("never moves back for %s", (_, fields) => {
    expect(advanceStatus(before, { ...ordinary, ...fields }, rack, now)).toBeNull();
  });

  it.each<[string, Partial<NodeStatus> | null, Partial<CheckedReport>, [string, string][]]>([
    ["a first report", null, { version: "1.0.0" }, [["info", "AgentReporting"]]],
    ["a new process", {}, { bootId: "c", sequence: 1 }, [["info", "AgentRestarted"]]],
    [
      "a new process of another version",
      {},
      { bootId: "c", sequence: 1, version: "1.1.0" },
      [
        ["info", "AgentRestarted"],
        ["info", "AgentVersionChanged"],
      ],
    ],
    ["the end of a silence", { silentSince: now }, {}, [["info", "AgentBack"]]],
    ["a new revision", {}, { observedRevision: 4, observedDigest: "four" }, [["info", "ConfigApplied"]]],
    ["a refused config", {}, { configError: "no such interface" }, [["problem", "ConfigRefused"]]],
    ["the same refusal again", { configError: "x" }, { configError: "x" }, []],
    ["a refusal that is over", { configError: "x" }, {}, [["info", "ConfigApplied"]]],
    ["a new warning beside an old one", { warnings: ["x"] }, { warnings: ["x", "y"] }, [["warning", "AgentWarning"]]],
    ["a clock that is off", {}, { warnings: [off("7 min")] }, [["warning", "ClockOff"]]],
    [
      "a clock that is off from the start",
      null,
      { warnings: [off("7 min")] },
      [
        ["info", "AgentReporting"],
        ["warning", "ClockOff"],
      ],
    ],
    ["nothing while it stays so", { warnings: [off("59 min")] }, { warnings: [off("1 h")] }, []],
    ["a clock that is set right", { warnings: [off("7 min")] }, {}, [["info", "ClockRight"]]],
    ["dropped reports", {}, { droppedReports: 4 }, [["warning", "ReportsDropped"]]],
  ])("records %s", (_, stored, fields, expected) => {
    const advance = advanceStatus(stored && { ...before, ...stored }, { ...ordinary, ...fields }, rack, now);
    expect(advance?.events.map(({ reason }) => [severityOf(reason), reason])).toEqual(expected);
    expect(advance?.changed).toBe(expected.length > 0);
  });

  it("names the agent, since a node has several: only warnings are of the node", () => {
    const fields = { observedRevision: 4, warnings: ["Its disk is full."] };
    expect(advanceStatus(before, { ...ordinary, ...fields }, rack, now)?.events).toEqual([
      {
        reason: "ConfigApplied",
        message: "The agent of the role balancer on rack-1 runs revision 4 of its config.",
        source: "The agent of the role balancer on rack-1",
      },
      { reason: "AgentWarning", message: "rack-1: Its disk is full." },
    ]);
  });

  it("reports a change when a refusal continues with another revision, though there is no event", () => {
    const refusing = { ...before, configError: "x" };
    const advance = advanceStatus(refusing, { ...ordinary, configError: "x", observedRevision: 4 }, rack, now);
    expect(advance).toMatchObject({ events: [], changed: true });
  });
});
