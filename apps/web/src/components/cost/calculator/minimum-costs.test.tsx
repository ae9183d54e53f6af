import { readFileSync } from "node:fs";
import { type CostOption, compileCatalogue, estimateCosts, estimateRequest, readPrices } from "@fairlead/domain/cost";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AdviceLink } from "./advice.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { spokenAdvice } from "./spoken-advice.ts";

const seedFile = new URL("../../../../../../packages/domain/src/cost/prices/seed/prices.csv", import.meta.url);
const catalogue = compileCatalogue(readPrices(readFileSync(seedFile, "utf8")), {
  now: new Date("2026-11-25T12:00:00Z"),
});
const request = estimateRequest.parse({ profile: { averageMbps: 25 }, providers: ["aws"], regions: ["us-east-1"] });
const estimate = estimateCosts(request, catalogue);
const missing = [{ item: "Traffic between zones", reason: "no price" }];

/** The same answer with bills of which an item has no price, or all have one. */
const answerWith = (lack: CostOption["missing"]) => ({
  ...{ request, catalogue },
  estimate: { ...estimate, options: estimate.options.map((option) => ({ ...option, missing: lack })) },
});
const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe("the cost of a bill with a missing price", () => {
  const whole = answerWith([]);
  const partial = answerWith(missing);

  it("is a minimum in the link to the recommendation", () => {
    expect(textOf(renderToStaticMarkup(<AdviceLink answer={whole} />))).not.toContain("from $");
    expect(textOf(renderToStaticMarkup(<AdviceLink answer={partial} />))).toMatch(/from \$[\d.]+ per month/);
  });

  it("is a minimum for screen readers", () => {
    expect(spokenAdvice(whole)).not.toContain("from $");
    expect(spokenAdvice(partial)).toMatch(
      /^Cheapest proven: .*: from \$[\d.]+ per month\. Cheapest likely: .*: from \$/,
    );
  });

  it("is a minimum per month and per hour, side by side", () => {
    const textWith = (answer: typeof whole) =>
      textOf(renderToStaticMarkup(<SideBySide answer={answer} compare={[]} onCompare={() => {}} />));
    expect(textWith(whole)).not.toContain("from $");
    expect(textWith(partial)).toMatch(/from \$[\d.]+ per month, from \$[\d.]+ per hour/);
    expect(textWith(partial)).toMatch(/Per hour from \$/);
  });
});
