import { openDb } from "@fairlead/db";
import { fakeExposureDriver, worldAt } from "@fairlead/drivers/testing";
import { createMetrics, jsonLog } from "@fairlead/telemetry";
import {
  clusterReconciler,
  experimentReconciler,
  loopMetrics,
  moveReconciler,
  nodeReconciler,
  startLoop,
} from "../index.ts";
import { besideOwn } from "./beside-own.ts";
import type { ChildOptions } from "./spawn-controller.ts";
import { testKeysBox } from "./test-keys-box.ts";

// A controller in its own process, against a fake world in another: for tests that kill it for real.

const options = JSON.parse(process.argv[2] ?? "") as ChildOptions;
const { databaseUrl, worldUrl, name, killAt } = options;
const log = jsonLog((line) => process.stderr.write(line)).with({ controller: name });
const db = openDb(databaseUrl, { connections: 6, applicationName: name });
const driver = fakeExposureDriver(worldAt(worldUrl), name);
let met = 0;

const loop = await startLoop({
  db,
  listenUrl: options.listen === false ? null : databaseUrl,
  reconcilers: [
    besideOwn(driver),
    nodeReconciler,
    clusterReconciler(testKeysBox),
    experimentReconciler,
    moveReconciler,
  ],
  log,
  metrics: loopMetrics(createMetrics(), db),
  concurrency: options.concurrency ?? 4,
  leaseMs: options.leaseMs ?? 1_000,
  pollMs: options.pollMs ?? 200,
  onStep(step, task) {
    if (!killAt || killAt.step !== step) return;
    if (killAt.objectId !== undefined && killAt.objectId !== task.objectId) return;
    if (++met >= (killAt.time ?? 1)) process.kill(process.pid, "SIGKILL");
  },
});
process.stdout.write("running\n");

process.on("SIGTERM", async () => {
  await loop.stop();
  await db.$disconnect();
  process.exit(0);
});
// A test that died must leave no controller behind.
process.stdin.on("close", () => process.exit(1)).resume();
