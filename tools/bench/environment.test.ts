import { expect, it } from "vitest";
import { busyBefore } from "./environment.ts";

it("warns if the machine was busy before", () => {
  expect(busyBefore({ loadBefore: 24, cores: 2 })).toBe(
    "the machine was busy before (load 24.0 on 2 cores): figures are too low",
  );
  expect(busyBefore({ loadBefore: 1.1, cores: 2 })).toContain("load 1.1 on 2 cores");
  for (const loadBefore of [0, 0.4, 1]) expect(busyBefore({ loadBefore, cores: 2 })).toBeNull();
});
