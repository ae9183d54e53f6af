import { expect, it } from "vitest";
import { describeDrain, warnOfDrain } from "./describe-drain.ts";

const drainingSince = new Date("2026-11-20T12:00:00Z");
const announced = { offered: 0, draining: 0, withdrawn: 0, alone: [], aloneCount: 0 };

it("returns null for a node that is not draining", () => {
  expect(describeDrain({ drainingSince: null, announced: { ...announced, offered: 2 } })).toBeNull();
});

it.each([
  [{ offered: 1, withdrawn: 1 }, false, "Drain requested: 1 of 2 addresses still to move to other nodes."],
  [{ draining: 1 }, false, "Draining: routers prefer other nodes, and 1 address waits for connections to finish."],
  [
    { draining: 2, withdrawn: 1 },
    false,
    "Draining: routers prefer other nodes, and 2 addresses wait for connections to finish.",
  ],
  [{ withdrawn: 3 }, true, "Drained: 3 addresses withdrawn."],
  [{}, true, "Drain requested. No addresses are announced."],
])("describes the progress of a drain: %o", (counts, isDone, sentence) => {
  expect(describeDrain({ drainingSince, announced: { ...announced, ...counts } })).toEqual({ isDone, sentence });
});

it("warns of addresses that only this node announces", () => {
  expect(warnOfDrain({ announced })).toBeNull();
  expect(warnOfDrain({ announced: { ...announced, alone: ["203.0.113.1/32"], aloneCount: 1 } })).toMatch(
    /announces 203.0.113.1\/32\./,
  );
  expect(
    warnOfDrain({ announced: { ...announced, alone: ["203.0.113.1/32", "203.0.113.2/32"], aloneCount: 2 } }),
  ).toMatch(/and 1 more/);
  expect(warnOfDrain({ announced: { ...announced, aloneCount: 2 } })).toMatch(/announces 2 of its addresses\./);
});
