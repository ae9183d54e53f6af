import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// First what a new installation shows, then the same over a large fleet, and last what measures. Laboratories have a
// configuration of their own, labs.config.ts.
export default defineConfig(
  suite({
    workers: 2,
    // What hangs is reported, with what came before it.
    globalTimeout: 30 * 60_000,
    projects: [
      { name: "sign-in", testMatch: "sign-in.spec.ts", workers: 1 },
      // These stop the local agent, pause the screen and count what changes: one at a time.
      { name: "small", testDir: "small", dependencies: ["sign-in"], use: { storageState }, workers: 1 },
      // These share the prices, and use neither an agent nor what it reports.
      { name: "costs", testDir: "costs", dependencies: ["sign-in"], use: { storageState }, workers: 1 },
      // These share the port of the emulated cloud.
      { name: "external", testDir: "external", dependencies: ["sign-in"], use: { storageState }, workers: 1 },
      {
        name: "seed",
        testMatch: "seed.setup.ts",
        dependencies: ["small", "costs", "external"],
        use: { storageState },
      },
      { name: "large", testDir: "large", dependencies: ["seed"], use: { storageState }, fullyParallel: true },
      { name: "last", testDir: "last", dependencies: ["large"], use: { storageState }, workers: 1 },
    ],
  }),
);
