import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { sendJson, startHttpsServer, type TestHttpsServer } from "@fairlead/drivers/https-testing";
import { connect } from "@fairlead/drivers/kubernetes";
import { getKubernetesStatus, kubernetesBox, type ServiceContext, updateCluster } from "@fairlead/services";
import { createTestCluster, createTestOrganization } from "@fairlead/services/testing";
import { createMetrics, jsonLog } from "@fairlead/telemetry";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clusterReconciler, kubernetesReconciler, type Loop, loopMetrics, startLoop } from "../../index.ts";
import { testKeysBox } from "../../testing/test-keys-box.ts";

const token = "t0ken-that-must-stay-hidden";
let database: TestDatabase;
let ctx: ServiceContext;
let server: TestHttpsServer;
let loop: Loop;
let logged: string;
/** What the API answers with: a status, and whether a verb is allowed. */
let answers: { status: number; denied: string };

beforeAll(async () => {
  database = await createTestDatabase({ connections: 20 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  answers = { status: 200, denied: "" };
  logged = "";
  server = await startHttpsServer((request, response, body) => {
    if (answers.status !== 200)
      return sendJson(response, answers.status, { kind: "Status", reason: "No", message: "no" });
    if (request.url === "/version") return sendJson(response, 200, { gitVersion: "v1.36.3" });
    sendJson(response, 201, { status: { allowed: answers.denied === "" || !body.includes(answers.denied) } });
  });
  loop = await startLoop({
    db: database.db,
    listenUrl: database.url,
    reconcilers: [
      kubernetesReconciler((access) => connect(access), { box: kubernetesBox(ctx.settings.secret) }),
      clusterReconciler(testKeysBox),
    ],
    log: jsonLog((line) => {
      logged += line;
    }),
    metrics: loopMetrics(createMetrics(), database.db),
    concurrency: 32,
  });
});
afterEach(async () => {
  await loop.stop(100);
  await server.close();
});

const kubeconfig = (url: string, authority: string, own = token) =>
  JSON.stringify({
    kind: "Config",
    clusters: [{ name: "a", cluster: { server: url, "certificate-authority-data": btoa(authority) } }],
    users: [{ name: "a", user: { token: own } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
  });

async function attach(url = server.url, authority = server.authority): Promise<string> {
  const { cluster } = await createTestCluster(ctx, "192.0.2.0/24", "kubernetes");
  await updateCluster(ctx, cluster.id, { kubernetes: { kubeconfig: kubeconfig(url, authority) } });
  return cluster.id;
}

const phase = async (id: string) => (await getKubernetesStatus(ctx, id)).phase;
const becomes = (id: string, wanted: string, timeout = 15_000) =>
  expect.poll(() => phase(id), { timeout }).toBe(wanted);
/** What the reconciler recorded: changes of the spec are recorded by those who make them. */
const events = async (id: string) => {
  const where = { subjectId: id, reason: { not: "SpecChanged" } };
  const found = await database.db.event.findMany({ where, orderBy: { at: "asc" } });
  return found.map(({ reason, severity }) => `${severity} ${reason}`);
};
/** Makes the next check due now; a pass that ends meanwhile would set another time. */
const askAgain = (id: string) =>
  expect
    .poll(
      async () =>
        (
          await database.db.reconcileTask.updateMany({
            where: { kind: "kubernetes", objectId: id, lease: null },
            data: { dueAt: new Date(0) },
          })
        ).count,
      { timeout: 60_000 },
    )
    .toBe(1);

describe("an attached cluster", () => {
  it("is checked at once, and reported with its version and permissions", async () => {
    const id = await attach();
    await becomes(id, "connected");
    const status = await getKubernetesStatus(ctx, id);
    expect(status).toMatchObject({
      message: "",
      version: "v1.36.3",
      observedAt: expect.any(Date),
      since: expect.any(Date),
    });
    expect(status.permissions.length).toBeGreaterThan(30);
    expect(status.permissions.every((each) => each.granted)).toBe(true);
    expect(await events(id)).toEqual(["info ClusterReached"]);
    // As long as it is healthy, only whether it is reachable is checked again soon.
    server.requests.length = 0;
    await askAgain(id);
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(1);
    expect(server.requests[0]).toContain("/version");
    const task = await database.db.reconcileTask.findUniqueOrThrow({
      where: { kind_objectId: { kind: "kubernetes", objectId: id } },
    });
    expect(task.dueAt.getTime() - Date.now()).toBeLessThan(40_000);
  });

  it("that doesn't grant everything is degraded, with what is missing, until it does", async () => {
    answers.denied = '"group":"","resource":"services","verb":"delete"';
    const id = await attach();
    await becomes(id, "degraded");
    const { message, permissions } = await getKubernetesStatus(ctx, id);
    expect(message).toBe("It isn't allowed to delete services. Apply the manifest that grants it.");
    expect(permissions.filter((each) => !each.granted)).toMatchObject([
      { verb: "delete", resource: "services", required: true },
    ]);
    answers.denied = "";
    await askAgain(id);
    await becomes(id, "connected");
    expect(await events(id)).toEqual(["problem PermissionMissing", "info ClusterReached"]);
  });

  it("works without optional permissions", async () => {
    answers.denied = '"resource":"events"';
    const id = await attach();
    await becomes(id, "connected");
    expect((await getKubernetesStatus(ctx, id)).permissions.some((each) => !each.granted)).toBe(true);
  });

  it("that refuses us is reported with the remedy, is called again, and accepts another token", async () => {
    answers.status = 401;
    const id = await attach();
    await becomes(id, "refused");
    expect((await getKubernetesStatus(ctx, id)).message).toMatch(/rejects the credentials.*valid ones \(401\)\.$/);
    answers.status = 200;
    await updateCluster(ctx, id, { kubernetes: { kubeconfig: kubeconfig(server.url, server.authority, "another") } });
    await becomes(id, "connected");
    expect(server.requests.at(-1)).toContain("Bearer another");
    expect(await events(id)).toEqual(["problem ClusterRefused", "info ClusterReached"]);
  });

  it("that fails and recovers is detected, and objects that wait for it are reconciled again", async () => {
    const id = await attach();
    await becomes(id, "connected");
    answers.status = 503;
    await askAgain(id);
    await becomes(id, "unreachable");
    // Permissions and version stay as they were last seen.
    expect(await getKubernetesStatus(ctx, id)).toMatchObject({
      version: "v1.36.3",
      message: expect.stringContaining("(503)"),
    });
    answers.status = 200;
    await becomes(id, "connected", 20_000);
    expect(await events(id)).toEqual(["info ClusterReached", "problem ClusterUnreachable", "info ClusterReached"]);
  });

  it("whose secret was sealed with another key is reported so", async () => {
    const id = await attach();
    await becomes(id, "connected");
    const sealed = kubernetesBox("another-secret-of-32-characters-or-more").seal({ type: "in-cluster" });
    await database.db.kubernetesAccess.update({
      where: { clusterId: id },
      data: { sealed, generation: { increment: 1 } },
    });
    await askAgain(id);
    await becomes(id, "refused");
    expect((await getKubernetesStatus(ctx, id)).message).toContain("sealed with another FAIRLEAD_SECRET");
  });

  it("that is detached during a check leaves nothing behind", async () => {
    const id = await attach();
    await updateCluster(ctx, id, { kubernetes: null });
    await expect
      .poll(() => database.db.reconcileTask.count({ where: { kind: "kubernetes", objectId: id } }), { timeout: 60_000 })
      .toBe(0);
    expect(await database.db.kubernetesStatus.count({ where: { clusterId: id } })).toBe(0);
  });

  it("never has its token in a log, an event or the feed", async () => {
    answers.status = 403;
    const id = await attach();
    await becomes(id, "refused");
    const rows = [
      await database.db.event.findMany(),
      await database.db.feedEntry.findMany(),
      await database.db.kubernetesStatus.findMany(),
      await database.db.reconcileTask.findMany(),
    ];
    const all = `${logged}${JSON.stringify(rows, (_, each) => (typeof each === "bigint" ? String(each) : each))}`;
    expect(all.includes(token)).toBe(false);
    expect(all).toContain("ClusterRefused");
  });
});

it("fifty clusters that accept connections and don't answer delay no cluster that does", async () => {
  // Each of them times out after a quarter of a minute.
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (let i = 0; i < 50; i++) await attach(url);
  const began = performance.now();
  const id = await attach();
  await becomes(id, "connected", 30_000);
  expect(performance.now() - began).toBeLessThan(20_000);
  silent.close();
}, 120_000);
