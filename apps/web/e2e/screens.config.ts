import { defineConfig } from "@playwright/test";
import { storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

// `npm run screens` takes pictures of every page, for a reader. No test compares them.
const use = { storageState, contextOptions: { reducedMotion: "reduce" as const }, trace: "off" as const };
export default defineConfig(
  suite({
    workers: 2,
    globalTimeout: 30 * 60_000,
    projects: [
      { name: "sign-in", testMatch: "sign-in.setup.ts" },
      { name: "empty", testMatch: "screens/empty.spec.ts", dependencies: ["sign-in"], use },
      { name: "seed", testMatch: "seed.setup.ts", dependencies: ["empty"], use: { storageState } },
      { name: "filled", testMatch: "screens/filled.spec.ts", dependencies: ["seed"], use, fullyParallel: true },
      { name: "failing", testMatch: "screens/failing.spec.ts", dependencies: ["filled"], use, fullyParallel: true },
      // It removes all accounts, so it is the last.
      {
        ...{ name: "set-up", testMatch: "screens/set-up.spec.ts", dependencies: ["failing"] },
        use: { ...use, storageState: { cookies: [], origins: [] } },
      },
    ],
  }),
);
