import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// Tests with a lab each. They have their own product instance, so that they can run in parallel with the others.
export default defineConfig(
  suite({
    // One worker per test, because they mostly wait: for measurements, a drain or the removal of silent nodes.
    workers: 4,
    globalTimeout: 20 * 60_000,
    projects: [
      { name: "sign-in", testMatch: "sign-in.setup.ts" },
      { name: "labs", testDir: "labs", dependencies: ["sign-in"], use: { storageState }, fullyParallel: true },
    ],
  }),
);
