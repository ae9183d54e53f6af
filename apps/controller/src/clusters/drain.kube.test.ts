import { backendTimes } from "@fairlead/domain/load-balancer";
import { sharedControlPlane, statefulSetOf } from "@fairlead/drivers/kubernetes-testing";
import { deleteExposure } from "@fairlead/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";
import { giveAddresses } from "./testing/give-addresses.ts";

const patience = { timeout: 30_000, interval: 20 };
let stage: ClusterStage;
beforeAll(async () => {
  // Only the passing of time causes changes here.
  stage = await setClusterStage({ times: backendTimes });
});
afterAll(() => stage.stop());

async function spelled(exposureId: string): Promise<string[]> {
  const rows = await stage.database.db.addressMapping.findMany({ where: { exposureId }, orderBy: { instance: "asc" } });
  return rows.map((each) => `${each.instance} ${each.externalAddress}:${each.externalPort} ${each.ready}`);
}

describe("an exposure that is deleted", () => {
  const control = sharedControlPlane();

  it("stops new connections to its instances at once, and removes their Services after the drain time", async () => {
    const namespace = await control.createNamespace();
    const clusterId = await stage.attach(control.kubeconfig, "fra-05");
    await control.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf("queue", 2));
    const { id } = await stage.expose({
      ...{ clusterId, name: `queue-${namespace}` },
      workload: { namespace, kind: "stateful-set", name: "queue" },
      strategy: { type: "per-replica", addressing: "dedicated", drainSeconds: 4 },
    });
    const services = async () =>
      (await control.api.get<{ items: object[] }>(`/api/v1/namespaces/${namespace}/services`)).items.length;
    const given = giveAddresses(control, namespace);
    try {
      const ends = ["queue-0 192.0.2.1:6379", "queue-1 192.0.2.2:6379"];
      await expect.poll(() => spelled(id), patience).toEqual(ends.map((each) => `${each} true`));
      const deletedAt = Date.now();
      await deleteExposure({ ...stage.ctx, now: new Date(deletedAt) }, id);
      await expect.poll(() => spelled(id), patience).toEqual(ends.map((each) => `${each} false`));
      expect(await services()).toBe(2);
      await expect.poll(services, patience).toBe(0);
      expect(Date.now() - deletedAt).toBeGreaterThan(4_000);
      await expect.poll(() => stage.database.db.exposure.count({ where: { id } }), patience).toBe(0);
    } finally {
      await given.stop();
    }
  }, 60_000);
});
