import { chmodSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";
import { cloudUrl } from "./support/cloud.ts";
import { priceMirrors } from "./support/price-feeds.ts";

// The whole product runs, as `npm start` runs it, on data of its own. With E2E_URL and E2E_DATA the one that runs
// there already is used instead.
const port = 3191;
const root = path.resolve(import.meta.dirname, "../../..");
process.env.E2E_DATA ??= scratchFolder();
const baseURL = process.env.E2E_URL ?? `http://127.0.0.1:${port}`;

export const owner = { email: "owner@example.test", password: "correct-Horse-7" };
export const storageState = path.join(process.env.E2E_DATA, "signed-in.json");

export default defineConfig({
  testDir: ".",
  outputDir: path.join(process.env.E2E_DATA, "results"),
  // As many as there are laboratories, which leave the processors idle most of the time; what computes says how few it takes.
  workers: 4,
  timeout: 60_000,
  // The whole takes a quarter of an hour: what hangs says so, and shows what came before.
  globalTimeout: 30 * 60_000,
  expect: { timeout: 15_000 },
  // Once more on a machine that does other things too; a test that needed it is named as flaky in the report.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : "list",
  use: {
    baseURL,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // First what a new installation shows, then the same over a large fleet, and last what measures or leaves rubbish behind.
  projects: [
    { name: "sign-in", testMatch: "sign-in.spec.ts", workers: 1 },
    // These tests freeze the agent and hold the screen still: one at a time.
    { name: "small", testDir: "small", dependencies: ["sign-in"], use: { storageState }, workers: 1 },
    // Each has a laboratory of its own, and mostly waits for it: to measure for a while, to drain, to be forgotten.
    { name: "labs", testDir: "labs", dependencies: ["small"], use: { storageState } },
    { name: "seed", testMatch: "seed.setup.ts", dependencies: ["labs"], use: { storageState } },
    { name: "large", testDir: "large", dependencies: ["seed"], use: { storageState }, fullyParallel: true, workers: 2 },
    { name: "last", testDir: "last", dependencies: ["large"], use: { storageState }, workers: 1 },
  ],
  ...(process.env.E2E_URL
    ? {}
    : {
        webServer: {
          command: `${JSON.stringify(process.execPath)} ${path.join(root, "packages/launcher/src/start.ts")}`,
          url: `${baseURL}/readyz`,
          timeout: 300_000,
          gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
          env: {
            PORT: String(port),
            FAIRLEAD_DATA: path.join(process.env.E2E_DATA, "data"),
            FAIRLEAD_ADMIN_EMAIL: owner.email,
            FAIRLEAD_ADMIN_PASSWORD: owner.password,
            DATABASE_URL: "",
            FAIRLEAD_LAB: "off",
            FAIRLEAD_CLOUD_ENDPOINTS: cloudUrl,
            FAIRLEAD_PRICE_MIRRORS: priceMirrors,
          },
        },
      }),
});

/** Open to other users, because PostgreSQL runs as one of them when we are root. */
function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}
