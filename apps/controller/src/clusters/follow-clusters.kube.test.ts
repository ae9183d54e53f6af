import {
  type OwnControlPlane,
  sharedControlPlane,
  startControlPlane,
  statefulSetOf,
} from "@fairlead/drivers/kubernetes-testing";
import { deleteExposure, getExposure } from "@fairlead/services";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { giveAddresses } from "./testing/give-addresses.ts";

const patience = { timeout: 30_000, interval: 20 };
const keepNothing = { type: "per-replica", addressing: "dedicated", keepSeconds: 0, drainSeconds: 0 } as const;
let stage: ClusterStage;
beforeAll(async () => {
  stage = await setClusterStage();
});
afterAll(() => stage.stop());

const mappings = (exposureId: string) =>
  stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } });
const spelled = async (exposureId: string) =>
  (await mappings(exposureId)).map(
    (each) => `${each.instance} ${each.externalAddress}:${each.externalPort} ${each.ready}`,
  );
const phaseOf = async (id: string) => (await getExposure(stage.ctx, id)).phase;

describe("a Kubernetes cluster that is attached", () => {
  const control = sharedControlPlane();
  let namespace: string;
  let clusterId: string;
  beforeAll(async () => {
    clusterId = await stage.attach(control.kubeconfig, "fra-01");
  });
  beforeEach(async () => {
    namespace = await control.createNamespace();
  });
  const sets = () => `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
  const expose = (name: string, strategy = keepNothing) =>
    stage.expose({
      clusterId,
      name: `${name}-${namespace}`,
      workload: { namespace, kind: "stateful-set", name },
      strategy,
    });

  it("has an address for every pod, and a map of them, without polling", async () => {
    const { id } = await expose("redis");
    await expect.poll(() => phaseOf(id), patience).toBe("pending");
    await control.api.create(sets(), statefulSetOf("redis", 3));
    const given = giveAddresses(control, namespace);
    try {
      await expect
        .poll(() => spelled(id), patience)
        .toEqual(["redis-0 192.0.2.1:6379 true", "redis-1 192.0.2.2:6379 true", "redis-2 192.0.2.3:6379 true"]);
      await expect.poll(() => phaseOf(id), patience).toBe("serving");

      await control.api.merge(`${sets()}/redis`, { spec: { replicas: 1 } });
      await expect.poll(() => spelled(id), patience).toEqual(["redis-0 192.0.2.1:6379 true"]);
      // A replacement pod keeps the external address, whatever its internal address.
      type Pod = { metadata: { uid: string }; status: { podIP?: string } };
      const path = `/api/v1/namespaces/${namespace}/pods/redis-0`;
      const before = await control.api.get<Pod>(path);
      await control.api.delete(path);
      const next = () => control.api.get<Pod>(path).catch(() => before);
      let podIP: string | undefined;
      const replaced = async () => {
        const { metadata, status } = await next();
        podIP = metadata.uid === before.metadata.uid ? undefined : status.podIP;
        return podIP;
      };
      await expect.poll(replaced, patience).toEqual(expect.any(String));
      const internal = async () => (await mappings(id)).map((each) => each.internalAddress);
      await expect.poll(internal, patience).toEqual([podIP]);
      await expect.poll(() => spelled(id), patience).toEqual(["redis-0 192.0.2.1:6379 true"]);
    } finally {
      await given.stop();
    }
    await deleteExposure({ ...stage.ctx, now: new Date() }, id);
    await expect.poll(() => stage.database.db.exposure.count({ where: { id } }), patience).toBe(0);
    const { items } = await control.api.get<{ items: object[] }>(`/api/v1/namespaces/${namespace}/services`);
    expect(items).toEqual([]);
  });

  it("reports its instances", async () => {
    await control.api.create(sets(), statefulSetOf("store", 2));
    const instances = () =>
      stage.database.db.instance.findMany({
        where: { clusterId, name: { startsWith: `${namespace}/` } },
        orderBy: { name: "asc" },
      });
    await expect
      .poll(async () => (await instances()).map((each) => `${each.name} ${each.workload} ${each.ready}`), patience)
      .toEqual([0, 1].map((n) => `${namespace}/store-${n} stateful-set ${namespace}/store true`));
    await control.api.delete(`${sets()}/store`);
    await expect.poll(instances, patience).toEqual([]);
  });

  it("recreates a deleted Service, and reports it", async () => {
    await control.api.create(sets(), statefulSetOf("kafka", 1));
    const { id, name } = await expose("kafka");
    const path = `/api/v1/namespaces/${namespace}/services`;
    const services = async () =>
      (await control.api.get<{ items: { metadata: { name: string; uid: string } }[] }>(path)).items;
    await expect.poll(async () => (await services()).length, patience).toBe(1);
    const [first] = await services();
    // Corrections are distinguished from creations once the spec was complete.
    await expect
      .poll(
        async () => (await stage.database.db.exposureStatus.findUnique({ where: { exposureId: id } }))?.appliedDigest,
        patience,
      )
      .not.toBe("");
    await control.api.delete(`${path}/${first?.metadata.name}`);
    await expect.poll(async () => (await services())[0]?.metadata.uid, patience).not.toBe(first?.metadata.uid);
    const events = () => stage.database.db.event.findMany({ where: { subjectId: id, reason: "Corrected" } });
    await expect.poll(async () => (await events())[0]?.message, patience).toContain(`${name} was changed in `);
    await deleteExposure({ ...stage.ctx, now: new Date() }, id);
  });
});

describe("a cluster whose apiserver is interrupted", () => {
  let control: OwnControlPlane;
  beforeAll(async () => {
    control = await startControlPlane({ kwok: { nodes: 1 } });
  });
  afterAll(() => control.stop());

  it("is followed from where it was, keeps the known state meanwhile, and applies pending requests", async () => {
    const clusterId = await stage.attach(control.kubeconfig, "fra-02");
    const sets = "/apis/apps/v1/namespaces/default/statefulsets";
    await control.api.create(sets, statefulSetOf("redis", 1));
    const workload = { namespace: "default", kind: "stateful-set" as const, name: "redis" };
    const { id } = await stage.expose({ clusterId, name: "cache", workload, strategy: keepNothing });
    const given = giveAddresses(control, "default");
    try {
      await expect.poll(() => spelled(id), patience).toEqual(["redis-0 192.0.2.1:6379 true"]);
      await control.killApiserver();
      // A spec that is changed during the outage.
      const { id: second } = await stage.expose({ clusterId, name: "other", workload, strategy: keepNothing });
      await expect
        .poll(async () => (await getExposure(stage.ctx, second)).message, patience)
        .toContain("could not be updated");
      expect(await spelled(id)).toEqual(["redis-0 192.0.2.1:6379 true"]);
      await control.forgetHistory();
      await expect
        .poll(() => spelled(second), { ...patience, timeout: 60_000 })
        .toEqual(["redis-0 192.0.2.1:6379 true"]);
      // Watches continue, although etcd's history was compacted.
      await control.api.merge(`${sets}/redis`, { spec: { replicas: 2 } });
      await expect.poll(async () => (await spelled(id)).length, patience).toBe(2);
    } finally {
      await given.stop();
    }
  }, 180_000);
});
