import { readFileSync } from "node:fs";
import path from "node:path";
import { priceFeedNames, priceFeeds } from "@fairlead/domain/cost";
import { describe, expect, it } from "vitest";
import { variableNames, variables, variablesFor } from "./variables.ts";

const page = readFileSync(path.resolve(import.meta.dirname, "../../../docs/reference/variables.md"), "utf8");

describe("the variables of npm start", () => {
  it("are documented with their meaning and default, and no others are", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    const expected = variableNames.map(
      (name) => `| \`${name}\` | ${variables[name].meaning} | ${variables[name].default} |`,
    );
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });

  it("name every price feed that can be scheduled", () => {
    expect(variables.FAIRLEAD_PRICE_FEEDS.meaning).toContain(`\`${priceFeedNames.join(",")}\``);
  });

  it("include the key of each price feed that needs one, for the controller only", () => {
    const keys = priceFeedNames.flatMap((feed) => priceFeeds[feed].keyVariable ?? []);
    expect(variablesFor("controller")).toEqual(expect.arrayContaining(keys));
    expect(variablesFor("web").filter((name) => keys.some((key) => key === name))).toEqual([]);
  });
});
