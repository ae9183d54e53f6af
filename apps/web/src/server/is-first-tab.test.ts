import { expect, it } from "vitest";
import { isFirstTab } from "./is-first-tab.ts";

it.each([
  ["without a tab", {}, true],
  ["with the first tab", { tab: "traffic" }, true],
  ["with another tab", { tab: "spec" }, false],
  ["with two tabs", { tab: ["traffic", "spec"] }, false],
])("an address %s", async (_, query, want) => {
  expect(await isFirstTab(Promise.resolve(query), "traffic")).toBe(want);
});
