import { expect, it } from "vitest";
import { dayRows } from "./day-bars.tsx";

it("the file of daily costs has no cost where none is known", () => {
  const at = new Date("2026-11-02T00:00:00Z");
  const rows = dayRows(
    [
      { at, micros: 1_500_000, knownShare: 0.5 },
      { at, micros: 0, knownShare: 0 },
    ],
    "USD",
  );
  expect(rows).toEqual([
    { day: "2026-11-02", cost: 1.5, currency: "USD", knownShare: 0.5 },
    { day: "2026-11-02", cost: null, currency: "USD", knownShare: 0 },
  ]);
});
