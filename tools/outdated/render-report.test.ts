import { expect, it } from "vitest";
import { renderReport } from "./render-report.ts";

const next = { name: "next", have: "16.4.5", newest: "16.4.6", where: "apps/web/package.json" };
const axe = { name: "@axe-core/playwright", have: "4.13.0", newest: "4.14.0", where: "package.json" };
const node = { name: "node", have: "24.21.0", newest: "26.10.0", where: "package.json", reason: "24 is supported" };

it("writes three sections, by name", () => {
  expect(renderReport({ behind: [next, axe], held: [node], failed: ["moto on PyPI: no network"] })).toBe(
    `Can be updated
  name                  have    newest  where
  @axe-core/playwright  4.13.0  4.14.0  package.json
  next                  16.4.5  16.4.6  apps/web/package.json

Held back
  name  have     newest   why
  node  24.21.0  26.10.0  24 is supported

Not looked up
  moto on PyPI: no network`,
  );
});

it("reports that nothing is behind", () => {
  expect(renderReport({ behind: [], held: [], failed: [] })).toBe("Can be updated: nothing\n\nHeld back: nothing");
});

it("shortens a version that ends in a commit", () => {
  const pin = { name: "engine", have: "7.10.0-4.0edf323efd1d98336f3f", newest: "8.1.0", where: "package.json" };
  expect(renderReport({ behind: [pin], held: [], failed: [] })).toContain(
    "engine  7.10.0-4.0edf323efd…  8.1.0   package",
  );
});
