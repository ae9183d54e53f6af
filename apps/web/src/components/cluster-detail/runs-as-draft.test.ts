import { runsAs } from "@fairlead/domain";
import { expect, it } from "vitest";
import { runsAsDraftOf, runsAsWishOf } from "./runs-as-draft.ts";

it.each([
  {
    ...({ provider: "aws", region: "eu-central-1", machine: "c7g.large", machineShare: 0.255, zones: 3 } as const),
    ...{ responseShare: 0.9, internetShare: 0.75 },
  },
  {
    ...({ provider: "own", region: "any", machine: null, machineShare: 1, zones: 1 } as const),
    ...{ responseShare: null, internetShare: 0 },
  },
])("writes down what a cluster runs as, and reads the same back: %j", (wish) => {
  expect(runsAs.parse(runsAsWishOf(runsAsDraftOf({ runsAs: wish, region: "" })))).toEqual(wish);
});

it.each([
  ["machineShare", ""],
  ["machineShare", "0"],
  ["zones", "many"],
  ["responseShare", "100"],
  ["internetShare", "101"],
  ["region", " "],
])("finds the field %s wrong when it says %j", (field, text) => {
  const draft = { ...runsAsDraftOf({ runsAs: null, region: "eu-central-1" }), [field]: text };
  expect(runsAs.safeParse(runsAsWishOf(draft)).error?.issues.map(({ path }) => path)).toEqual([[field]]);
});
