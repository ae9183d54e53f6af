import { setTimeout as sleep } from "node:timers/promises";
import { openDb } from "@fairlead/db";
import { type DurableServer, startDurableServer } from "@fairlead/db/testing";
import { describeOutage } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, setStage } from "./testing/stage.ts";
import { until } from "./testing/until.ts";

const crashes = 3;
const betweenCrashes = 12;

let server: DurableServer;
let stage: Stage;
beforeAll(async () => {
  server = await startDurableServer();
  const db = openDb(server.url, { connections: 8 });
  stage = await setStage({ db, url: server.url, drop: () => db.$disconnect() });
});
afterAll(async () => {
  await stage.close();
  await server.stop();
});

it("a crash of PostgreSQL under load loses no acknowledged write, and everything converges", async () => {
  await Promise.all([stage.child(), stage.child()]);
  const acknowledged: string[] = [];
  let refused = 0;
  let writing = true;

  async function writer(): Promise<void> {
    while (writing) {
      try {
        acknowledged.push(await stage.expose());
      } catch (error) {
        if (!describeOutage(error)) throw error;
        refused++;
      }
      await sleep(20);
    }
  }

  const writers = Promise.all([writer(), writer()]);
  for (let crash = 0; crash < crashes; crash++) {
    const before = acknowledged.length;
    await until("verbs write", () => acknowledged.length >= before + betweenCrashes);
    await server.crash();
    await server.restart();
  }
  const before = acknowledged.length;
  await until("verbs write again", () => acknowledged.length > before);
  writing = false;
  await writers;

  expect(refused).toBeGreaterThan(0);
  const stored = await stage.database.db.exposure.findMany({ select: { id: true } });
  const ids = new Set(stored.map((each) => each.id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  await stage.converged(30_000);
  // A spec that was stored without an acknowledgement is a spec like any other.
  const made = stage.world.journal.filter((each) => each.operation === "create").map((each) => each.exposureId);
  expect(made.sort()).toEqual([...ids].sort());
});
