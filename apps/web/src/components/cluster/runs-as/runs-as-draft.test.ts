import { runsAs } from "@fairlead/domain/cost";
import { expect, it } from "vitest";
import { runsAsDraftOf, runsAsSpecOf } from "./runs-as-draft.ts";

it.each([
  {
    ...({ provider: "aws", region: "eu-central-1", machine: "c7g.large", machineShare: 0.255, zones: 3 } as const),
    ...{ responseShare: 0.9, internetShare: 0.75 },
  },
  {
    ...({ provider: "own", region: "any", machine: null, machineShare: 1, zones: 1 } as const),
    ...{ responseShare: null, internetShare: 0 },
  },
])("round-trips what a cluster runs as: %j", (spec) => {
  expect(runsAs.parse(runsAsSpecOf(runsAsDraftOf({ runsAs: spec, region: "" })))).toEqual(spec);
});

it.each([
  ["machineShare", ""],
  ["machineShare", "0"],
  ["zones", "many"],
  ["responseShare", "100"],
  ["internetShare", "101"],
  ["region", " "],
])("reports the field %s for the value %j", (field, text) => {
  const draft = { ...runsAsDraftOf({ runsAs: null, region: "eu-central-1" }), [field]: text };
  expect(runsAs.safeParse(runsAsSpecOf(draft)).error?.issues.map(({ path }) => path)).toEqual([[field]]);
});
