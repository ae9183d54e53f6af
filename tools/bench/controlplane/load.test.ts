import { expect, it } from "vitest";
import { requireSteady } from "./load.ts";

const lines = (...acked: number[]) => acked.map((reportsAcked) => ({ reportsAcked }));

it("accepts a measurement only if the fleet reported throughout", () => {
  expect(() => requireSteady("The table", lines(10, 30, 55))).not.toThrow();
  expect(() => requireSteady("The table", lines(0, 0, 30))).not.toThrow();
  for (const still of [lines(10, 30, 30), lines(30, 30, 55), lines(0, 0), lines(10), []])
    expect(() => requireSteady("The table", still)).toThrow("The table was measured without load");
});
