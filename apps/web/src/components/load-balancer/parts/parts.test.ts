import { expect, it } from "vitest";
import { describeAbsence } from "./describe-absence.ts";
import { healthLook } from "./health-look.ts";
import { nameByReplica, nameBySubject } from "./names.ts";

it("names a replica after its node, also a former one and the sum", () => {
  const nameOf = nameByReplica(
    JSON.stringify([
      ["agt_1", "node-1"],
      [null, null],
    ]),
  );
  const name = (labels: Record<string, string>) => nameOf({ subjectId: "lb_1", labels });
  expect([name({ agent: "agt_1" }), name({ agent: "agt_0" }), name({})]).toEqual([
    "node-1",
    "a former replica",
    "all replicas",
  ]);
});

it("names a balancer by its name, whichever replica reports", () => {
  const nameOf = nameBySubject(JSON.stringify([{ id: "lb_1", name: "shop" }]));
  expect(nameOf({ subjectId: "lb_1", labels: { agent: "agt_1" } })).toBe("shop");
});

it("explains missing metrics", () => {
  expect(describeAbsence({ isCarried: true, isCloud: false })).toContain("in this range");
  expect(describeAbsence({ isCarried: false, isCloud: false })).toContain("no agent runs this one");
  expect(describeAbsence({ isCarried: false, isCloud: true })).toContain("the cloud provider");
});

it("shows a health that is checked as not checked yet until the first result", () => {
  const word = (health: "up" | "unknown", healthSince: Date | null) => healthLook({ health, healthSince }).word;
  expect([word("unknown", new Date(0)), word("unknown", null), word("up", new Date(0))]).toEqual([
    "Not checked yet",
    "Unknown",
    "Up",
  ]);
});
