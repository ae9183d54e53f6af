import path from "node:path";
import type { PlaywrightTestConfig } from "@playwright/test";
import { cloudUrl, dataFolder, e2eFolder, oidcUrl, owner, ports, priceMirrors, root } from "./product.ts";

const baseURL = process.env.E2E_URL ?? `http://127.0.0.1:${ports.dashboard}`;

/**
 * suite is a configuration whose tests share one product instance, started like `npm start`, with its own data and ports.
 * With E2E_URL, E2E_DATA and E2E_PORTS, a running instance is used instead.
 */
export function suite({
  env = {},
  ...given
}: Pick<PlaywrightTestConfig, "projects" | "workers" | "globalTimeout" | "globalSetup"> & {
  /** More variables of the product. */
  env?: Record<string, string>;
}): PlaywrightTestConfig {
  return {
    ...given,
    testDir: path.dirname(import.meta.dirname),
    outputDir: path.join(e2eFolder, "results"),
    timeout: 120_000,
    // Limits for tests that hang, not promises: a busy machine may take several times as long as an idle one.
    expect: { timeout: 30_000 },
    forbidOnly: true,
    reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["list"], ["json"]] : "list",
    use: {
      baseURL,
      // Screenshots of every frame would take more time than the pages. The trace has the page before and after each step.
      trace: { mode: "retain-on-failure", screenshots: false, snapshots: true, sources: true },
      screenshot: "only-on-failure",
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
    ...(process.env.E2E_URL ? {} : { webServer: { ...webServer, env: { ...webServer.env, ...env } } }),
  };
}

const webServer = {
  command: `${JSON.stringify(process.execPath)} ${path.join(root, "packages/launcher/src/start.ts")}`,
  url: `${baseURL}/readyz`,
  timeout: 600_000,
  gracefulShutdown: { signal: "SIGTERM" as const, timeout: 15_000 },
  env: {
    PORT: String(ports.dashboard),
    FAIRLEAD_GATEWAY_PORT: String(ports.gateway),
    FAIRLEAD_CONTROLLER_METRICS_PORT: String(ports.metrics),
    FAIRLEAD_DATA: dataFolder,
    FAIRLEAD_ADMIN_EMAIL: owner.email,
    FAIRLEAD_ADMIN_PASSWORD: owner.password,
    DATABASE_URL: "",
    FAIRLEAD_LAB: "off",
    FAIRLEAD_CLOUD_ENDPOINTS: cloudUrl,
    FAIRLEAD_OIDC_ENDPOINTS: oidcUrl,
    FAIRLEAD_PRICE_MIRRORS: priceMirrors,
  },
};
