import { listInventory as listInventoryInput } from "@fairlead/domain/cluster";
import { sharedControlPlane, statefulSetOf } from "@fairlead/drivers/kubernetes-testing";
import { kubernetesBox, listInventory, updateCluster } from "@fairlead/services";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, expect, it } from "vitest";
import { followClusters } from "./follow-clusters.ts";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

const patience = { timeout: 30_000, interval: 50 };
const control = sharedControlPlane();
let stage: ClusterStage;
let clusterId: string;
beforeAll(async () => {
  stage = await setClusterStage();
  clusterId = await stage.attach(control.kubeconfig, "fra-03");
});
afterAll(() => stage.stop());

async function there(filter: object): Promise<string[]> {
  const { items } = await listInventory(
    { ...stage.ctx, now: new Date() },
    listInventoryInput.parse({ clusterId, ...filter }),
  );
  return items.map(({ kind, namespace, name, ready, desired, addresses }) =>
    [kind, `${namespace}/${name}`, `${ready}/${desired}`, ...addresses].join(" "),
  );
}

it("lists the objects of a cluster, follows changes, and removes them with the access", async () => {
  const namespace = await control.createNamespace();
  const sets = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
  await control.api.create(sets, statefulSetOf("redis", 2));
  await expect.poll(() => there({ namespace }), patience).toEqual([`stateful-set ${namespace}/redis 2/2`]);
  // Each kind has its own watch.
  await expect.poll(async () => (await there({ kind: ["node"] })).length, patience).toBeGreaterThan(0);

  const services = `/api/v1/namespaces/${namespace}/services`;
  const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
  await control.api.create(services, { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec });
  await expect.poll(() => there({ namespace, kind: ["service"] }), patience).toEqual([`service ${namespace}/web 0/1`]);
  const status = { loadBalancer: { ingress: [{ ip: "203.0.113.7" }] } };
  await control.api.merge(`${services}/web/status`, { status });
  await expect
    .poll(() => there({ namespace, kind: ["service"] }), patience)
    .toEqual([`service ${namespace}/web 1/1 203.0.113.7`]);

  await control.api.delete(`${sets}/redis`);
  await control.api.delete(`${services}/web`);
  await expect.poll(() => there({ namespace }), patience).toEqual([]);

  await updateCluster({ ...stage.ctx, now: new Date() }, clusterId, { kubernetes: null });
  await stage.look();
  expect(await there({})).toEqual([]);
});

it("is repaired at the next comparison, whatever was written into it", async () => {
  // A starting controller finds the state that another one, or a backup, has left.
  clusterId = await stage.attach(control.kubeconfig, "fra-04");
  await expect.poll(async () => (await there({ kind: ["node"] })).length, patience).toBeGreaterThan(0);
  const { organizationId } = stage.ctx;
  const item = { kind: "deployment", namespace: "gone", name: "old", desired: 1, ready: 1, addresses: [] };
  await stage.database.db.inventoryItem.create({
    data: { id: "itm_00000000000000000000000000", organizationId, clusterId, changedAt: new Date(), ...item },
  });
  const second = await followClusters({
    ...{ db: stage.database.db, box: kubernetesBox(stage.ctx.settings.secret), inCluster: null },
    ...{ log: silentLog, metrics: createMetrics(), everyMs: 3_600_000 },
  });
  try {
    await expect.poll(() => there({ namespace: "gone" }), patience).toEqual([]);
  } finally {
    await second.stop();
  }
});
