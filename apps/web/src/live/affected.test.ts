import type { FeedEntry } from "@fairlead/domain/event";
import { describe, expect, it } from "vitest";
import { affectedBy } from "./affected.ts";

const entry = (subjectKind: FeedEntry["subjectKind"], subjectId: string): FeedEntry => ({
  subjectKind,
  subjectId,
  clusterId: null,
});
const list = (router: string) => [[router, "list"], { input: { limit: 100, offset: 0 }, type: "query" }];
const get = (router: string, id: string) => [[router, "get"], { input: { id }, type: "query" }];
const auditOf = (subjectId: string) => [["audit", "list"], { input: { subjectId, limit: 50 }, type: "query" }];
const eventsOf = (subjectId: string) => [["event", "list"], { input: { subjectId, limit: 8 }, type: "query" }];

describe("the queries that a change affects", () => {
  const affected = affectedBy([entry("exposure", "exp_1")]);

  it.each([
    ["its own list", list("exposure"), true],
    ["itself", get("exposure", "exp_1"), true],
    ["not another of its kind", get("exposure", "exp_2"), false],
    ["the balancers created for it", get("loadBalancer", "lb_9"), true],
    ["the counts on the overview", [["overview", "get"], {}], true],
    ["the events that it may have created", list("event"), true],
    ["its own events", eventsOf("exp_1"), true],
    ["those of the balancers created for it", eventsOf("lb_9"), true],
    ["not those of another exposure", eventsOf("exp_2"), false],
    ["the audit", list("audit"), true],
    ["its own audit", auditOf("exp_1"), true],
    ["not that of another object", auditOf("clu_1"), false],
    ["no nodes", list("node"), false],
    ["no metrics: their changes are not notified", [["series", "query"], { input: {} }], false],
    ["no queries of other libraries", ["theme"], false],
  ])("%s: %s", (_, key, want) => {
    expect(affected(key)).toBe(want);
  });

  it("affects of all nodes only that of a changed agent, which has an entry of its own", () => {
    const affected = affectedBy([entry("agent", "agt_1"), entry("node", "node_1")]);
    expect([get("node", "node_1"), eventsOf("node_1"), list("node")].map(affected)).toEqual([true, true, true]);
    expect([get("node", "node_7"), eventsOf("node_7")].map(affected)).toEqual([false, false]);
  });

  it("affects the events of exposures when a balancer changed", () => {
    const affected = affectedBy([entry("load-balancer", "lb_1")]);
    expect([eventsOf("exp_1"), eventsOf("lb_1"), eventsOf("lb_2")].map(affected)).toEqual([true, true, false]);
  });

  it("affects nothing without a change", () => {
    expect(affectedBy([])(list("event"))).toBe(false);
  });
});
