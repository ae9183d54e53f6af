import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { catalogue, skipReason } from "./catalogue.ts";

it("has every benchmark", () => {
  const folders = readdirSync(import.meta.dirname).filter((name) =>
    existsSync(path.join(import.meta.dirname, name, "run.ts")),
  );
  expect(Object.keys(catalogue).sort()).toEqual(folders.sort());
});

it("skips what needs root only for other users", () => {
  expect(skipReason("churn", { platform: "linux", id: 0 })).toBeNull();
  expect(skipReason("churn", { platform: "linux", id: 1000 })).toMatch(/need root on Linux/);
  expect(skipReason("churn", { platform: "darwin", id: 0 })).toMatch(/need root on Linux/);
  expect(skipReason("cost", { platform: "linux", id: 1000 })).toBeNull();
});

it("skips what needs Linux on other systems", () => {
  expect(skipReason("generator", { platform: "linux", id: 1000 })).toBeNull();
  expect(skipReason("generator", { platform: "darwin", id: 1000 })).toBe("it needs Linux");
});
