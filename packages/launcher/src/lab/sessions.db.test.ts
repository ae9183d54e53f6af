import { createExposure as exposureSpec } from "@fairlead/domain/exposure";
import { createExposure, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LabStage, setSecureStage } from "./testing/lab-stage.ts";

// Real TLS servers in the pods, their nodes' agents, and two replicas: a client that resumes a session reaches its pod.
const waiting = { timeout: 90_000, interval: 200 };

let stage: LabStage;
beforeAll(async () => {
  stage = await setSecureStage("sessions");
}, 300_000);
afterAll(() => stage?.stop(), 60_000);

it("returns clients to the pod of their TLS session, while its node's agent and a replica restart, and elsewhere once the pod is gone", async () => {
  const { clusterId, poolId, database, now, lab, hops } = stage;
  const { id } = await createExposure(
    now(),
    exposureSpec.parse({
      ...{ clusterId, name: "shop", workload: { kind: "deployment", name: "web" }, ports: [{ port: 443 }] },
      strategy: { type: "session", replicas: 2, poolId },
    }),
  );
  const session = async () => (await getExposure(now(), id)).session;
  await expect.poll(async () => (await session())?.replicas.map((each) => each.problem), waiting).toEqual(["", ""]);
  const ready = { takesConnections: true, tickets: "stable", message: "" };
  await expect
    .poll(async () => (await session())?.backends, waiting)
    .toEqual([1, 2, 3].map(() => expect.objectContaining(ready)));
  const numbers = (await session())?.backends.map((each) => each.number).sort();
  expect(numbers).toEqual([1, 2, 3]);
  const { address } = await database.db.virtualAddress.findFirstOrThrow({ where: { poolId } });
  await expect.poll(() => hops(address), waiting).toBe(2);

  const steady = visits(address, { users: 20, returns: 4 });
  expect(steady).toMatchObject({ returns: 80, resumed: 80, home: 80, errors: [] });
  expect(steady.pods).toEqual(["web-1", "web-2", "web-3"]);

  for (const process of ["node-1.backend", "lb-1"]) lab("fault", "kill", process);
  await expect.poll(() => hops(address), waiting).toBe(2);
  await expect.poll(async () => (await session())?.replicas.map((each) => each.problem), waiting).toEqual(["", ""]);
  expect(visits(address, { users: 20, returns: 4 })).toMatchObject({ returns: 80, resumed: 80, home: 80, errors: [] });

  lab("fault", "remove", "pod", "web-3");
  await expect.poll(async () => (await session())?.backends.length, waiting).toBe(2);
  const fewer = visits(address, { users: 20, returns: 4 });
  expect(fewer).toMatchObject({ returns: 80, resumed: 80, home: 80, errors: [], pods: ["web-1", "web-2"] });
  await expect.poll(() => outcomes(), waiting).toContain("home");
}, 400_000);

type Visits = { returns: number; resumed: number; home: number; errors: string[]; pods: string[] };

/** visits simulates users who connect once, and return with their session. */
function visits(address: string, { users, returns }: { users: number; returns: number }): Visits {
  const ask = `
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
    const all = { returns: 0, resumed: 0, home: 0, errors: [] };
    const pods = new Set();
    for (let user = 0; user < ${users}; user++) {
      let last = await visit();
      for (let i = 0; i < ${returns}; i++) {
        const next = await visit(last.session);
        all.returns += 1;
        if (next.resumed) all.resumed += 1;
        if (next.pod && next.pod === last.pod) all.home += 1;
        for (const { error, pod } of [last, next]) error ? all.errors.push(error) : pods.add(pod);
        last = next;
      }
    }
    console.log(JSON.stringify({ ...all, pods: [...pods].sort() }));`;
  return stage.askFrom("near", ask) as Visits;
}

/** outcomes returns what became of the sessions that clients named. */
async function outcomes(): Promise<string[]> {
  const rows = await stage.database.db.$queryRaw<{ outcome: string }[]>`
    SELECT DISTINCT labels::jsonb ->> 'outcome' AS outcome FROM series WHERE metric = 'sessionHellosPerSecond'`;
  return rows.map((each) => each.outcome);
}
