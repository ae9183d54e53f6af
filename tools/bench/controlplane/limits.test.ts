import { expect, it } from "vitest";
import { covered, explainOpenings, explainShares, type Opening } from "./limits.ts";

it("lists the users of the processors, the largest first", () => {
  expect(explainShares({ web: 0.5, database: 0.914, "all else (browsers too)": 0.7 })).toBe(
    "of one core, database 91 %, all else (browsers too) 70 %, web 50 %",
  );
});

it("breaks down the load time of a page", () => {
  const opening: Opening = { took: 1200, script: 600.4, layoutAndStyle: 150, paintAndRest: 90, answers: 310 };
  const slow: Opening = { took: 2400, script: 1600, layoutAndStyle: 150, paintAndRest: 90, answers: 300 };
  expect(explainOpenings([opening, slow, opening])).toBe(
    "of 1200 ms, its scripts 600 ms, awaiting the server 310 ms, layout and style 150 ms, painting and the rest of the page 90 ms (medians)",
  );
});

it("counts overlapping responses once", () => {
  expect(covered([])).toBe(0);
  const spans: [number, number][] = [
    [100, 200],
    [0, 50],
    [120, 150],
    [180, 260],
  ];
  expect(covered(spans)).toBe(50 + 160);
});
