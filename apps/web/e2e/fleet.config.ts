import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// Tests with a large fleet, and last the measurements. They have their own product instance, and need the whole machine.
export default defineConfig(
  suite({
    workers: 2,
    globalTimeout: (process.env.EVERY_PAGE ? 90 : 30) * 60_000,
    projects: [
      { name: "sign-in", testMatch: "sign-in.setup.ts" },
      { name: "seed", testMatch: "seed.setup.ts", dependencies: ["sign-in"], use: { storageState } },
      { name: "large", testDir: "large", dependencies: ["seed"], use: { storageState }, fullyParallel: true },
      { name: "last", testDir: "last", dependencies: ["large"], use: { storageState }, workers: 1 },
      // It removes all accounts, so it is the last.
      ...(process.env.EVERY_PAGE
        ? [{ name: "set-up", testMatch: "set-up-speed.spec.ts", dependencies: ["last"], workers: 1 }]
        : []),
    ],
  }),
);
