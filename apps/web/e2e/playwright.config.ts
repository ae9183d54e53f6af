import { chmodSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";

// The whole product runs, as `npm start` runs it, on data of its own.
const port = 3191;
const root = path.resolve(import.meta.dirname, "../../..");
process.env.E2E_DATA ??= scratchFolder();

export const owner = { email: "owner@example.test", password: "correct-Horse-7" };
export const storageState = path.join(process.env.E2E_DATA, "signed-in.json");

export default defineConfig({
  testDir: ".",
  outputDir: path.join(process.env.E2E_DATA, "results"),
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  retries: 0,
  forbidOnly: true,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : "list",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  projects: [
    { name: "sign-in", testMatch: "sign-in.spec.ts" },
    { name: "signed-in", testIgnore: "sign-in.spec.ts", dependencies: ["sign-in"], use: { storageState } },
  ],
  webServer: {
    command: `${JSON.stringify(process.execPath)} ${path.join(root, "packages/launcher/src/start.ts")}`,
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 300_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    env: { PORT: String(port), FAIRLEAD_DATA: path.join(process.env.E2E_DATA, "data"), FAIRLEAD_ADMIN_EMAIL: owner.email, FAIRLEAD_ADMIN_PASSWORD: owner.password, DATABASE_URL: "" },
  },
});

/** Open to other users, because PostgreSQL runs as one of them when we are root. */
function scratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fairlead-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}
