import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// First tests of a new installation, then with a large fleet, and last the measurements. Tests with labs have their own
// configuration, labs.config.ts.
export default defineConfig(
  suite({
    workers: 2,
    // A test that hangs is reported with its previous output.
    globalTimeout: 30 * 60_000,
    projects: [
      { name: "sign-in", testMatch: "sign-in.spec.ts", workers: 1 },
      // These stop the local agent, pause live updates and count changes, so they run one at a time.
      { name: "small", testDir: "small", dependencies: ["sign-in"], use: { storageState }, workers: 1 },
      // These share the prices, and don't need an agent.
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
