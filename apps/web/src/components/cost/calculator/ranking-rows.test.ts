import { readFileSync } from "node:fs";
import { compileCatalogue, estimateCosts, estimateRequest, readPrices } from "@fairlead/domain/cost";
import { expect, it } from "vitest";
import { advisedIn } from "./advised-in.ts";
import { presets } from "./presets.ts";
import { type OptionRow, rankRows } from "./ranking-rows.ts";

const seedFile = new URL("../../../../../../packages/domain/src/cost/prices/seed/prices.csv", import.meta.url);
const catalogue = compileCatalogue(readPrices(readFileSync(seedFile, "utf8")), {
  now: new Date("2026-11-25T12:00:00Z"),
});
const estimateOf = (request: object) => estimateCosts(estimateRequest.parse(request), catalogue);
const everything = { everyRegion: false, grades: [] };
const optionRows = (estimate: ReturnType<typeof estimateOf>, view: Parameters<typeof rankRows>[1] = everything) =>
  rankRows(estimate, view).filter((row): row is OptionRow => row.option !== null);

/** The answers to the examples: what is cheapest of each grade, per month, and what costs the same, and where. */
const golden = {
  "25 Mbit/s through a classic balancer": {
    proven: "aws-haproxy@us-east-1 19.56 = aws-nginx, aws-fairlead",
    likely: "aws-clb@us-east-1 87.60",
    grades: { proven: 4, likely: 1, misfit: 2 },
  },
  "A small web shop": {
    proven: "aws-haproxy@us-east-1 55.63 = aws-nginx",
    likely: "gcp-alb@us-central1 37.83",
    grades: { proven: 3, likely: 4, unknown: 11, misfit: 12 },
  },
  "A busy API with TLS": {
    proven: "aws-nginx@us-east-1 2487.47",
    likely: "gcp-proxy-nlb@us-central1 997.26 = gcp-alb",
    grades: { proven: 3, likely: 5, unknown: 11, misfit: 11 },
  },
  "Game servers over UDP": {
    proven: "aws-fairlead@us-east-1 1260.27",
    likely: "oracle-network-lb@apac-japan-sa 0.00, in 2 regions",
    grades: { proven: 2, likely: 3, unknown: 5, misfit: 20 },
  },
  "A Redis Cluster": {
    proven: "aws-haproxy@us-east-1 315.36 = aws-nginx, aws-fairlead",
    likely: "oracle-network-lb@apac-japan-sa 0.00, in 2 regions",
    grades: { proven: 4, likely: 5, unknown: 15, misfit: 6 },
  },
};

it.each(presets)("answers the example $name with its grades", ({ name, profile, providers, regions, constraints }) => {
  const estimate = estimateOf({ profile, providers, regions, constraints });
  const rows = optionRows(estimate);
  const textOf = (pin: "proven" | "likely") => {
    const row = rows.find((each) => each.pin === pin);
    const { ties = [], regions = [] } = advisedIn({ estimate })[pin] ?? {};
    const month = ((row?.option.monthlyMicros ?? 0) / 1e6).toFixed(2);
    const equal = ties.length > 0 ? ` = ${ties.map(({ offerId }) => offerId).join(", ")}` : "";
    return `${row?.key} ${month}${equal}${regions.length > 1 ? `, in ${regions.length} regions` : ""}`;
  };
  const perGrade = Map.groupBy(rows, ({ option }) => option.grade ?? "misfit");
  expect({
    proven: textOf("proven"),
    likely: textOf("likely"),
    grades: Object.fromEntries([...perGrade].map(([grade, { length }]) => [grade, length])),
  }).toEqual(golden[name as keyof typeof golden]);
  // No example sets the capacity of a backend.
  expect(estimate.noBalancer).toMatchObject({ fits: null, grade: "unknown" });
});

it("starts with no balancer and the recommended options, and ranks equal costs alike", () => {
  const [first] = presets;
  const estimate = estimateOf({ profile: first?.profile, providers: first?.providers, regions: first?.regions });
  const rows = rankRows(estimate, everything).slice(0, 6);
  expect(rows.map((row) => [row.key, row.option ? row.rank : "", row.option ? row.pin : null])).toEqual([
    ["no-balancer", "", null],
    ["aws-haproxy@us-east-1", "1=", "proven"],
    ["aws-clb@us-east-1", "5", "likely"],
    ["aws-nginx@us-east-1", "1=", null],
    ["aws-fairlead@us-east-1", "1=", null],
    ["aws-nlb@us-east-1", "4", null],
  ]);
});

it("filters by grade, but keeps the recommended options", () => {
  const estimate = estimateOf({ profile: { averageMbps: 8, protocol: "http" } });
  const rows = optionRows(estimate, { everyRegion: false, grades: ["unknown"] });
  expect(rows.slice(0, 2).map(({ pin }) => pin)).toEqual(["proven", "likely"]);
  expect(new Set(rows.slice(2).map(({ option }) => option.grade))).toEqual(new Set(["unknown"]));
  const misfits = optionRows(estimate, { everyRegion: false, grades: ["misfit"] }).slice(2);
  expect(misfits.length).toBeGreaterThan(0);
  expect(misfits.every(({ option }) => !option.fits)).toBe(true);
});

it("gives no rank to incomplete bills and to options that don't fit", () => {
  const rows = optionRows(estimateOf({ profile: { averageMbps: 8, protocol: "http", zones: 2 } }));
  const without = rows.filter(({ option }) => !option.fits || option.missing.length > 0);
  expect(without.some(({ option }) => option.fits)).toBe(true);
  expect(new Set(without.map(({ rank }) => rank))).toEqual(new Set([""]));
});
