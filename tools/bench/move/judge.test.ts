import { expect, it } from "vitest";
import { judge, type Moved, type RolledBack } from "./judge.ts";

const steps = [
  { share: 25, measured: 26.5, all: 3_000 },
  { share: 100, measured: 100, all: 3_000 },
];
const moved = (fields: Partial<Moved> = {}): Moved => ({
  ...{ killed: false, state: "done", connections: 1_000, broken: 0, visits: 9_000, failed: 0, steps },
  ...fields,
});
const rolledBack = (fields: Partial<RolledBack> = {}): RolledBack => ({
  ...{ state: "rolled-back", ms: 900, routedMs: 1_200, failedAfter: 0 },
  ...fields,
});
const missed = (all: Moved[], rollbacks = [rolledBack()]) =>
  judge(all, rollbacks, { moves: 1, rollbacks: 1, connections: 1_000 })
    .filter((each) => each.holds === false)
    .map((each) => each.metric);

it("holds for a move that breaks nothing, and for a rollback in time", () => {
  expect(missed([moved(), moved({ killed: true })])).toEqual([]);
});

it.each<[string, Partial<Moved>, string[]]>([
  ["is not done", { state: "rolled-back" }, ["times it was measured"]],
  ["had too few connections", { connections: 999 }, ["times it was measured"]],
  ["broke a connection", { broken: 1 }, ["open connections that broke"]],
  ["failed a new connection", { failed: 1 }, ["new connections that failed"]],
  [
    "missed a share by more than 2 points",
    { steps: [{ share: 25, measured: 27.1, all: 3_000 }] },
    ["share of new connections, from the requested one"],
  ],
  [
    "left connections at the former cluster",
    { steps: [{ share: 100, measured: 99.9, all: 3_000 }] },
    ["the same after the last step"],
  ],
])("misses a bar if a move %s", (_, fields, want) => {
  expect(missed([moved(fields)])).toEqual(want);
});

it("misses a bar if a rollback took too long, or new connections failed after it", () => {
  expect(missed([moved()], [rolledBack({ ms: 5_001 })])).toEqual(["gate closed → rolled back"]);
  expect(missed([moved()], [rolledBack({ routedMs: 5_001 })])).toEqual(["gate closed → in the router's kernel"]);
  expect(missed([moved()], [rolledBack({ failedAfter: 1 })])).toEqual(["new connections that failed afterwards"]);
  expect(missed([moved()], [])).toEqual(["times it was measured"]);
});
