import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// Tests of a new installation. Those with labs are in labs.config.ts, those with a large fleet in fleet.config.ts.
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
      // It removes all accounts, so it is the last.
      { name: "set-up", testMatch: "set-up.spec.ts", dependencies: ["small", "costs", "external"] },
    ],
  }),
);
