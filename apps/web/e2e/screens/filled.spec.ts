import { insertExperiment } from "../support/experiment.ts";
import { objectTabs, openPages, plainPages, rareTabs } from "../support/pages.ts";
import { first } from "../support/rest.ts";
import { test } from "../support/test.ts";
import { take } from "./take.ts";

const queries = {
  exposures: "phase=serving&strategy=ecmp",
  "load-balancers": "phase=serving",
  clusters: "",
  nodes: "",
};

for (const [name, address] of Object.entries({ ...plainPages, ...openPages }))
  test(`${name}, filled`, ({ page }) => take(page, "filled", name, address));

for (const [list, tabs] of Object.entries(objectTabs))
  for (const tab of tabs)
    test(`${tab} of ${list}, filled`, async ({ page, request }) => {
      const { id } = await first(request, list, queries[list as keyof typeof queries]);
      await take(page, "filled", `${list}-${tab}`, `/${list}/${id}?tab=${tab}`);
    });

for (const { list, tab, query } of rareTabs)
  test(`${tab} of ${list}, filled`, async ({ page, request }) => {
    const { id } = await first(request, list, query);
    await take(page, "filled", `${list}-${tab}`, `/${list}/${id}?tab=${tab}`);
  });

test("the form of an exposure, filled", async ({ page, request }) => {
  const { id } = await first(request, "exposures", "phase=serving&strategy=ecmp");
  await take(page, "filled", "edit-exposure", `/exposures/${id}/edit`);
});

test("an experiment, filled", async ({ page, request }) => {
  await take(page, "filled", "experiment", `/experiments/${await insertExperiment(request)}`);
});
