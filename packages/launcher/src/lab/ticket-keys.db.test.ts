import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, getExposure, markDirty, rotateTicketKeys } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LabStage, setSecureStage } from "./testing/lab-stage.ts";

// Real TLS servers with managed ticket keys, their nodes' agents, two replicas, and a controller that is killed in each phase.
const waiting = { timeout: 90_000, interval: 100 };
const hourMs = 3_600_000;

let stage: LabStage;
beforeAll(async () => {
  stage = await setSecureStage("tickets");
}, 300_000);
afterAll(() => stage?.stop(), 60_000);

it("rotates ticket keys with a controller that is killed in each phase, and each client returns to its pod with its session", async () => {
  const { clusterId, poolId, database, now, hops, folder } = stage;
  const ticketKeys = { software: "go", folder: `${folder}/{instance}` };
  const { id } = await createExposure(
    now(),
    exposureSpec.parse({
      ...{ clusterId, name: "shop", workload: { kind: "deployment", name: "web" }, ports: [{ port: 443 }] },
      strategy: { type: "session", replicas: 2, poolId, names: "managed", ticketKeys, ticketHours: 1 },
    }),
  );
  const session = async () => (await getExposure(now(), id)).session;
  const complete = (epoch: number) =>
    expect
      .poll(async () => (await session())?.ticketRotation, waiting)
      .toMatchObject({ phase: "idle", epoch, message: "All servers have the newest keys." });
  await expect
    .poll(async () => (await session())?.backends.map((each) => each.takesConnections), waiting)
    .toEqual([true, true, true]);
  await expect
    .poll(async () => (await session())?.backends.map((each) => each.ticketKey?.problem), waiting)
    .toEqual(["", "", ""]);
  await complete(1);
  const { address } = await database.db.virtualAddress.findFirstOrThrow({ where: { poolId } });
  await expect.poll(() => hops(address), waiting).toBe(2);
  // Names from before keys were managed lead to no server any more.
  await expect
    .poll(async () => (await session())?.backends.map((each) => each.names[0]?.name === each.ticketKey?.name), waiting)
    .toEqual([true, true, true]);

  const stop = path.join(folder, "stop");
  const visiting = stage.runFrom("near", visits(address, stop));
  const killed: string[] = [];
  const phaseNow = async () =>
    (await database.db.ticketRotation.findUniqueOrThrow({ where: { exposureId: id } })).phase;
  const killIn = async (phase: string) => {
    await expect.poll(phaseNow, { timeout: 60_000, interval: 5 }).toBe(phase);
    const start = await stage.killController();
    killed.push(await phaseNow());
    start();
  };
  await rotateTicketKeys(now(), id);
  for (const phase of ["adding", "switching", "retiring"]) await killIn(phase);
  const { since, dropAt } = await database.db.ticketRotation.findUniqueOrThrow({ where: { exposureId: id } });
  const back = (at: Date) => new Date(at.getTime() - hourMs);
  const data = { since: back(since), dropAt: dropAt && back(dropAt) };
  await database.db.ticketRotation.update({ where: { exposureId: id }, data });
  await markDirty(database.db, "exposure", id, { urgent: true });
  await killIn("idle");
  await complete(2);
  writeFileSync(stop, "");
  const found = (await visiting) as Visits;
  expect(killed).toEqual(["adding", "switching", "retiring", "idle"]);
  expect(found).toMatchObject({ errors: [], lost: [], pods: ["web-1", "web-2", "web-3"] });
  expect(found.returns).toBeGreaterThan(200);
  expect(existsSync(path.join(folder, "web-1", "tickets.key"))).toBe(true);
  expect(await database.db.ticketSecret.count({ where: { exposureId: id } })).toBe(1);
}, 400_000);

type Visits = { returns: number; lost: string[]; errors: string[]; pods: string[] };

/** visits simulates users who connect once, and return with their newest session until the file exists. */
function visits(address: string, stop: string): string {
  return `
    import { existsSync } from "node:fs";
    import tls from "node:tls";
    const visit = (session) => new Promise((resolve) => {
      const socket = tls.connect({ host: "${address}", port: 443, session, rejectUnauthorized: false }, () => socket.write("?\\n"));
      const found = { pod: "", resumed: false, session };
      socket.on("session", (newest) => { found.session = newest; });
      socket.once("data", (data) => {
        resolve({ ...found, pod: String(data).trim(), resumed: socket.isSessionReused() });
        socket.destroy();
      });
      socket.setTimeout(20_000, () => socket.destroy(new Error("no answer within 20 s")));
      socket.once("error", ({ message }) => resolve({ ...found, error: message }));
    });
    const all = { returns: 0, lost: [], errors: [] };
    const users = [];
    for (let user = 0; user < 20; user++) users.push(await visit());
    while (!existsSync("${stop}")) {
      for (const [user, last] of users.entries()) {
        const next = await visit(last.session);
        all.returns += 1;
        if (next.error) all.errors.push(next.error);
        else if (!next.resumed || next.pod !== last.pod) all.lost.push(last.pod + " to " + next.pod + (next.resumed ? "" : ", not resumed"));
        users[user] = next;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    console.log(JSON.stringify({ ...all, pods: [...new Set(users.map(({ pod }) => pod))].sort() }));`;
}
