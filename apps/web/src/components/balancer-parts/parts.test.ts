import { expect, it } from "vitest";
import { describeAbsence } from "./describe-absence.ts";
import { nameByReplica, nameBySubject } from "./names.ts";

it("calls a replica by its node, also one that is gone and all of them together", () => {
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

it("calls a balancer by its name, whichever replica speaks", () => {
  const nameOf = nameBySubject(JSON.stringify([{ id: "lb_1", name: "shop" }]));
  expect(nameOf({ subjectId: "lb_1", labels: { agent: "agt_1" } })).toBe("shop");
});

it("says why there are no figures in one sentence each", () => {
  expect(describeAbsence({ isCarried: true, isCloud: false })).toContain("in this range");
  expect(describeAbsence({ isCarried: false, isCloud: false })).toContain("none carries this one");
  expect(describeAbsence({ isCarried: false, isCloud: true })).toContain("its cloud provider");
});
