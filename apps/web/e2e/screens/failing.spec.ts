import { objectTabs } from "../support/pages.ts";
import { first } from "../support/rest.ts";
import { test } from "../support/test.ts";
import { take } from "./take.ts";

// Objects in trouble, and pages without an object.
test.use({ allowedProblems: /status of 4|ERR_FAILED/ });

const troubled = {
  exposures: "phase=failed",
  "load-balancers": "phase=degraded",
  nodes: "state=silent",
} as const;

for (const [list, query] of Object.entries(troubled)) {
  test(`${list} in trouble`, ({ page }) => take(page, "failing", list, `/${list}?${query}`));
  for (const tab of objectTabs[list as keyof typeof troubled])
    test(`${tab} of ${list} in trouble`, async ({ page, request }) => {
      const { id } = await first(request, list, query);
      await take(page, "failing", `${list}-${tab}`, `/${list}/${id}?tab=${tab}`);
    });
}

for (const [name, address] of [
  ["unknown-page", "/no/such/page"],
  ["unknown-exposure", "/exposures/exp_00000000000000000000000000"],
  ["unknown-docs", "/docs/guides/no-such-page"],
  ["no-match", "/exposures?q=nothing-is-called-this"],
  ["used-invitation", "/invitations/aaaaaaaaaaaaaaaaaaaaaaaa"],
  ["calculator-contradiction", "/costs?averageMbps=25&peakMbps=5&activeConnections=much"],
] as const)
  test(`${name}`, ({ page }) => take(page, "failing", name, address));

for (const [name, address] of [
  ["overview", "/"],
  ["exposures", "/exposures"],
  ["clusters", "/clusters"],
  ["routing", "/routing"],
  ["experiments", "/experiments"],
  ["calculator", "/costs?averageMbps=25"],
  ["running-costs", "/costs/running"],
  ["prices", "/costs/prices"],
] as const)
  test(`${name} without the API`, async ({ page }) => {
    await page.route("**/api/**", (route) => route.abort());
    await take(page, "failing", `${name}-without-api`, address);
  });
