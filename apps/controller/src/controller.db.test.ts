import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "@fairlead/db/free-port";
import { createTestDatabase, startDurableServer, type TestDatabase } from "@fairlead/db/testing";
import { createExposure } from "@fairlead/services";
import { createTestCluster, createTestOrganization, testSpec } from "@fairlead/services/testing";
import { findPageProblems } from "@fairlead/telemetry/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return { child, ended: once(child, "exit"), output: () => output };
}

describe("the controller's process", () => {
  it("becomes ready, reconciles, serves metrics, and stops in time on a signal", async () => {
    const [gatewayPort, metricsPort] = [await freePort(), await freePort()];
    const { child, ended, output } = run({
      DATABASE_URL: database.url,
      FAIRLEAD_SECRET: "s".repeat(32),
      FAIRLEAD_GATEWAY_PORT: String(gatewayPort),
      FAIRLEAD_CONTROLLER_METRICS_PORT: String(metricsPort),
    });
    const get = (path: string) => fetch(`http://127.0.0.1:${metricsPort}${path}`);
    try {
      await expect.poll(() => get("/readyz").then((answer) => answer.status, output), { timeout: 60_000 }).toBe(200);
      expect((await get("/healthz")).status).toBe(200);
      expect((await get("/elsewhere")).status).toBe(404);

      const ctx = await createTestOrganization(database.db);
      const { pool } = await createTestCluster(ctx, "192.0.2.0/24", "kubernetes");
      const strategy = { type: "per-replica", addressing: "dedicated" } as const;
      const { id } = await createExposure(ctx, testSpec(pool, { strategy }));
      const message = () =>
        database.db.exposureStatus.findUnique({ where: { exposureId: id } }).then((status) => status?.message);
      await expect.poll(message, { timeout: 60_000 }).toMatch(/is not attached, so its pods are unknown/);
      // It is counted a moment after it is stored.
      await expect
        .poll(async () => (await get("/metrics")).text(), { timeout: 30_000 })
        .toContain('fairlead_reconcile_tasks_total{kind="exposure",outcome="done"} 1\n');
      expect(await findPageProblems(await (await get("/metrics")).text())).toEqual([]);
      const signalledAt = performance.now();
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
      expect(performance.now() - signalledAt).toBeLessThan(4_000);
    } finally {
      child.kill("SIGKILL");
    }
    for (const line of output().trim().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ level: expect.stringMatching(/info|warn/) });
  });

  it("survives a crash of PostgreSQL, and reports meanwhile that it is not ready", async () => {
    const server = await startDurableServer();
    const metricsPort = await freePort();
    const { child, ended, output } = run({
      DATABASE_URL: server.url,
      FAIRLEAD_SECRET: "s".repeat(32),
      FAIRLEAD_GATEWAY_PORT: String(await freePort()),
      FAIRLEAD_CONTROLLER_METRICS_PORT: String(metricsPort),
    });
    const readiness = () => fetch(`http://127.0.0.1:${metricsPort}/readyz`).then((answer) => answer.status, output);
    try {
      await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
      await server.crash();
      await expect.poll(readiness, { timeout: 60_000 }).toBe(503);
      await server.restart();
      await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
      await server.stop();
    }
  });

  it.each([
    [
      "without a secret",
      { DATABASE_URL: "postgresql://127.0.0.1:1/x" },
      "FAIRLEAD_SECRET must have at least 32 characters",
    ],
    [
      "without its database",
      { DATABASE_URL: "postgresql://127.0.0.1:1/x", FAIRLEAD_SECRET: "s".repeat(32) },
      "rejects the connection",
    ],
  ])("refuses to start %s, with one message", async (_name, env, message) => {
    const { ended, output } = run(env);
    expect(await ended).toEqual([1, null]);
    const lines = output().trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "").msg).toContain(message);
  });
});
