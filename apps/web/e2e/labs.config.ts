import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// Tests with a laboratory each, over a product of their own, so that they can run next to the others.
export default defineConfig(
  suite({
    // As many as there are tests: they mostly wait for a laboratory to measure for a while, to drain, to be forgotten.
    workers: 4,
    globalTimeout: 20 * 60_000,
    projects: [
      { name: "sign-in", testMatch: "labs/sign-in.setup.ts" },
      { name: "labs", testDir: "labs", dependencies: ["sign-in"], use: { storageState }, fullyParallel: true },
    ],
  }),
);
