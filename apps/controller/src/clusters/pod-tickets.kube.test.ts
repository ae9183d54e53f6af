import type { SessionStrategy } from "@fairlead/domain/exposure";
import { type KubernetesObject, sharedControlPlane, statefulSetOf } from "@fairlead/drivers/kubernetes-testing";
import {
  createAddressPool,
  deleteExposure,
  getExposure,
  pauseExposure,
  resumeExposure,
  rotateTicketKeys,
  updateExposure,
} from "@fairlead/services";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestBackend, type TestBackend } from "../gateway/testing/test-backend.ts";
import { startTestBalancer, type TestBalancer } from "../gateway/testing/test-balancer.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

// The Secret is in a real Kubernetes API. The pods are simulated: what a server would read there is what a replica sees.
const patience = { timeout: 30_000, interval: 50 };
const control = sharedControlPlane();
const { api } = control;
const secretName = "web-tickets";
let stage: ClusterStage;
let balancer: TestBalancer;
let backends: TestBackend[] = [];
let clusterId: string;
let poolId: string;
let namespace: string;
const now = () => ({ ...stage.ctx, now: new Date() });

beforeAll(async () => {
  stage = await setClusterStage({ times: { fillMs: 100, drainMs: 500 } });
  clusterId = await stage.attach(control.kubeconfig, "fra-01");
  poolId = (await createAddressPool(now(), { clusterId, name: "public", prefix: "198.51.100.0/24", note: "" })).id;
  balancer = await startTestBalancer(stage.ctx, stage.port, clusterId, "worker-1");
  const { items } = await api.get<{ items: KubernetesObject[] }>("/api/v1/nodes");
  backends = await Promise.all(
    items.map(({ metadata }) => startTestBackend(stage.ctx, stage.port, clusterId, metadata.name)),
  );
});
afterAll(async () => {
  await Promise.all(backends.map((each) => each.stop()));
  await balancer.stop();
  await stage.stop();
});
beforeEach(async () => {
  namespace = await control.createNamespace();
});

type Secret = KubernetesObject & { data?: Record<string, string> };
type Pod = KubernetesObject & { status: { podIP?: string } };

const secretPath = () => `/api/v1/namespaces/${namespace}/secrets/${secretName}`;
const secret = () => api.get<Secret>(secretPath());
const detail = async (id: string) => (await getExposure(now(), id)).session;
const text = ({ data = {} }: Secret, entry: string) => Buffer.from(data[entry] ?? "", "base64").toString();
/** ownName is the name of the key with which a pod would start its tickets; empty without one. */
const ownName = (of: Secret, pod: string) => /ticket-([0-9a-f]{32})\.key/.exec(text(of, `${pod}.conf`))?.[1] ?? "";
const db = () => stage.database.db;
const rowOf = (id: string) => db().podTicketSecret.findUnique({ where: { exposureId: id } });
const eventsOf = async (id: string, reason: string) => db().event.count({ where: { subjectId: id, reason } });

async function pods(): Promise<{ name: string; address: string }[]> {
  const { items } = await api.get<{ items: Pod[] }>(`/api/v1/namespaces/${namespace}/pods`);
  return items.flatMap(({ metadata, status }) =>
    status.podIP ? [{ name: metadata.name, address: status.podIP }] : [],
  );
}

const spec = (): SessionStrategy => ({
  ...{ type: "session", replicas: 1, poolId, names: "managed", ids: true, ticketHours: 24, fallbacks: ["plain"] },
  ticketKeys: { software: "nginx", folder: "/etc/nginx/tickets", secret: secretName, rotateHours: 24 },
});

async function expose(replicas: number): Promise<string> {
  await api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf("web", replicas));
  const { id } = await stage.expose({
    ...{ clusterId, name: `web-${namespace}`, workload: { namespace, kind: "stateful-set", name: "web" } },
    ...{ ports: [{ port: 443, protocol: "tcp" }], strategy: spec() },
  });
  return id;
}

/** hasKeys waits until the Secret has a key for each of the pods. */
async function hasKeys(...names: string[]): Promise<Secret> {
  const lacking = async () => {
    const there = await secret().catch(() => null);
    return names.filter((name) => !there || ownName(there, name) === "");
  };
  await expect.poll(lacking, patience).toEqual([]);
  return secret();
}

/** reload makes these pods start tickets as the Secret says now, and a replica see it. */
async function reload(id: string, ...names: string[]): Promise<void> {
  const now = await secret();
  for (const { name, address } of await pods())
    if (names.includes(name))
      balancer.seen.set(address, { name: Buffer.from(ownName(now, name), "hex"), at: new Date() });
  await balancer.say();
  await stage.mark(id);
}

const rotation = async (id: string) => {
  const { phase, epoch, message } = (await detail(id))?.ticketRotation ?? {};
  return { phase, epoch, message };
};
const inPhase = async (id: string, phase: string, epoch: number) => {
  const look = async () => {
    await stage.mark(id);
    return rotation(id);
  };
  await expect.poll(look, patience).toMatchObject({ phase, epoch });
};
/** revised waits until the Secret has the newest keys. */
const revised = (id: string) =>
  expect
    .poll(async () => {
      const { revision } = await db().ticketRotation.findUniqueOrThrow({ where: { exposureId: id } });
      return (await rowOf(id))?.revision === revision;
    }, patience)
    .toBe(true);

/** passed waits until no pass is due. */
const passed = (id: string) =>
  expect
    .poll(() => db().reconcileTask.count({ where: { objectId: id, dueAt: { lte: new Date() } } }), patience)
    .toBe(0);

async function complete(id: string, ...names: string[]): Promise<void> {
  await hasKeys(...names);
  await reload(id, ...names);
  await expect
    .poll(() => rotation(id), patience)
    .toMatchObject({ phase: "idle", message: "All servers have the newest keys." });
}

it("rotates keys that pods read from a Secret in three phases, each of which waits until tickets show it", async () => {
  const id = await expose(2);
  const first = await hasKeys("web-0", "web-1");
  expect(first.metadata.labels).toMatchObject({ "fairlead.dev/exposure": id });
  const waits = async () => (await rotation(id)).message;
  await expect.poll(waits, patience).toBe(`Waits for ${namespace}/web-0 and ${namespace}/web-1.`);
  expect((await detail(id))?.backends[0]?.ticketKey?.problem).toContain(`mounts ${secretName} at /etc/nginx/tickets`);
  await complete(id, "web-0", "web-1");
  expect(
    backends.flatMap((each) => each.servers()).filter((each) => each.exposureId === id && each.ticketKeys),
  ).toEqual([]);

  await rotateTicketKeys(now(), id);
  await inPhase(id, "adding", 1);
  await revised(id);
  const adding = await secret();
  const accepted = (of: Secret) => text(of, "_all.conf").match(/ticket-[0-9a-f]{32}/g)?.length;
  expect([accepted(first), accepted(adding)]).toEqual([4, 8]);
  expect(text(first, "_all.conf")).toContain(ownName(adding, "web-0")); // no server starts tickets with a name that others lack
  await reload(id, "web-0");
  await expect.poll(waits, patience).toContain(`Waits for ${namespace}/web-1.`);
  await inPhase(id, "adding", 1);
  await reload(id, "web-1");
  await inPhase(id, "switching", 2);
  await revised(id);
  const switching = await secret();
  expect(text(adding, "_all.conf")).toContain(ownName(switching, "web-0"));
  await reload(id, "web-0");
  await inPhase(id, "switching", 2);
  await reload(id, "web-1");
  await inPhase(id, "retiring", 2);
  const past = (ms: number) => new Date(Date.now() - ms);
  const since = { since: past(25 * 3_600_000), dropAt: past(1) };
  await db().ticketRotation.update({ where: { exposureId: id }, data: since });
  await inPhase(id, "idle", 2);
  await revised(id);
  expect(accepted(await secret())).toBe(4);
  expect((await detail(id))?.backends.map((each) => each.ticketKey?.name).sort()).toEqual(
    ["web-0", "web-1"].map((name) => ownName(switching, name)).sort(),
  );
});

it("adds the key of a new pod, repairs the Secret after another program changed it, and leaves it while it is paused", async () => {
  const id = await expose(1);
  await complete(id, "web-0");
  await api.merge(`/apis/apps/v1/namespaces/${namespace}/statefulsets/web`, { spec: { replicas: 2 } });
  await hasKeys("web-0", "web-1");
  await complete(id, "web-0", "web-1");
  await revised(id);
  const { data } = await secret();
  const damage = () => api.merge(secretPath(), { data: { "web-0.conf": null, "web-1.conf": "Iw==" } });
  await damage();
  await stage.mark(id);
  await expect.poll(async () => (await secret()).data, patience).toEqual(data);
  await expect.poll(() => eventsOf(id, "TicketSecretRepaired"), patience).toBe(1);
  await api.delete(secretPath());
  await stage.mark(id);
  await expect.poll(async () => (await secret().catch(() => null))?.data, patience).toEqual(data);
  await expect.poll(() => eventsOf(id, "TicketSecretRepaired"), patience).toBe(2);

  const { ticketKeys, ...strategy } = spec();
  if (!ticketKeys) throw new Error("the spec has ticket keys");
  await updateExposure(now(), id, { strategy: { ...strategy, ticketKeys: { ...ticketKeys, folder: "/keys" } } });
  await expect.poll(async () => text(await secret(), "_all.conf"), patience).toContain(" /keys/ticket-");
  await expect.poll(async () => (await rowOf(id))?.folder, patience).toBe("/keys");
  expect(await eventsOf(id, "TicketSecretRepaired")).toBe(2); // the spec changed, and no other program
  const { data: moved } = await secret();

  await pauseExposure(now(), id);
  await damage();
  await stage.mark(id);
  await passed(id);
  expect((await secret()).data).not.toEqual(moved);
  await resumeExposure(now(), id);
  await expect.poll(async () => (await secret()).data, patience).toEqual(moved);
});

it("gives pods the committed keys after a controller was killed before it wrote the Secret, or before it stored that", async () => {
  const id = await expose(1);
  await complete(id, "web-0");
  await revised(id);
  const [former, row] = [await secret(), await rowOf(id)];
  await rotateTicketKeys(now(), id);
  await inPhase(id, "adding", 1);
  await revised(id);
  const { data } = await secret();
  const none = Object.fromEntries(Object.keys(data ?? {}).map((entry) => [entry, null]));
  for (const isWritten of [false, true]) {
    await pauseExposure(now(), id);
    await passed(id);
    if (!isWritten) await api.merge(secretPath(), { data: { ...none, ...former.data } });
    await db().podTicketSecret.update({ where: { exposureId: id }, data: { revision: row?.revision ?? 0 } });
    await resumeExposure(now(), id);
    await revised(id);
    expect((await secret()).data).toEqual(data);
  }
  expect(await eventsOf(id, "TicketSecretRepaired")).toBe(0);
});

it("removes the Secret when keys aren't managed any more, when it gets another name, and with the exposure", async () => {
  const id = await expose(1);
  await complete(id, "web-0");
  const { ticketKeys, ...strategy } = spec();
  const isThere = (path = secretPath()) =>
    api.get(path).then(
      () => true,
      () => false,
    );
  if (!ticketKeys) throw new Error("the spec has ticket keys");
  await updateExposure(now(), id, { strategy: { ...strategy, ticketKeys: { ...ticketKeys, secret: "other" } } });
  const other = secretPath().replace(secretName, "other");
  await expect.poll(() => isThere(other), patience).toBe(true);
  await expect.poll(() => isThere(), patience).toBe(false);
  await updateExposure(now(), id, { strategy: { ...strategy, names: "learned" } });
  await expect.poll(() => isThere(other), patience).toBe(false);
  await expect.poll(() => rowOf(id), patience).toBeNull();
  await updateExposure(now(), id, { strategy: spec() });
  await hasKeys("web-0");
  await deleteExposure(now(), id);
  await expect.poll(() => isThere(), patience).toBe(false);
  await expect.poll(() => db().exposure.count({ where: { id } }), patience).toBe(0);
});

it("leaves another program's Secret alone, and says what to do", async () => {
  await api.create(`/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: secretName },
    data: { theirs: "Iw==" },
  });
  const id = await expose(1);
  const problem = `The Secret ${namespace}/${secretName} exists and does not belong to this exposure. Remove it if unused, or enter another name.`;
  await expect.poll(async () => (await rotation(id)).message, patience).toBe(problem);
  expect(await eventsOf(id, "TicketSecretNotWritten")).toBe(1);
  await expect.poll(async () => (await detail(id))?.backends[0]?.ticketKey?.problem, patience).toBe(problem);
  await deleteExposure(now(), id);
  await expect.poll(() => db().exposure.count({ where: { id } }), patience).toBe(0);
  expect((await secret()).data).toEqual({ theirs: "Iw==" });
});

it("never discloses a key outside the Secret", async () => {
  const id = await expose(1);
  await complete(id, "web-0");
  const { data = {} } = await secret();
  const [, key = ""] = Object.entries(data).find(([name]) => name.startsWith("ticket-")) ?? [];
  const bytes = Buffer.from(key, "base64").subarray(16);
  expect(bytes).toHaveLength(64);
  const stored = [
    await getExposure(now(), id),
    await db().podTicketSecret.findMany(),
    await db().ticketRotation.findMany({ include: { secrets: true } }),
    await db().event.findMany(),
    await db().nodeConfig.findMany(),
  ];
  const all = JSON.stringify(stored, (_, each) => (typeof each === "bigint" ? String(each) : each));
  for (const encoding of ["hex", "base64", "base64url"] as const)
    expect(all).not.toContain(bytes.subarray(0, 30).toString(encoding));
});
