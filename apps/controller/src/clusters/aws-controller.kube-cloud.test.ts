import { createTestApi, type Served, serveFetch, type TestApi } from "@fairlead/api/testing";
import { AddressMapper } from "@fairlead/client";
import type { AddressMap, FoundMappings, TriedMapping } from "@fairlead/domain/address-map";
import type { CreateExposure, Exposure } from "@fairlead/domain/exposure";
import type { LoadBalancer } from "@fairlead/domain/load-balancer";
import { awsCloudMetrics } from "@fairlead/drivers/aws";
import { createTestBalancers, emulatorUrl, testCredentials } from "@fairlead/drivers/aws-testing";
import {
  type AwsController,
  type OwnControlPlane,
  startAwsController,
  startControlPlane,
  statefulSetOf,
} from "@fairlead/drivers/kubernetes-testing";
import { cloudMetricsReconciler, loopMetrics, startLoop } from "@fairlead/reconciler";
import {
  cloudMetricsBox,
  createApiKey,
  deleteExposure,
  getCloudMetricsStatus,
  getExposure,
  querySeries,
  updateCluster,
  updateExposure,
} from "@fairlead/services";
import { createMetrics, silentLog } from "@fairlead/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ClusterStage, setClusterStage } from "./testing/cluster-stage.ts";

// The AWS controller, the apiserver and all of Fairlead are real; the cloud is emulated, and forwards no packets.

const patience = { timeout: 60_000, interval: 100 };
const dedicated = { type: "per-replica", addressing: "dedicated", keepSeconds: 0, drainSeconds: 0 } as const;
const hostname = /^[0-9a-z]{32}-\d+\.eu-central-1\.elb\.amazonaws\.com$/;

let control: OwnControlPlane;
let aws: AwsController;
let stage: ClusterStage;
let api: TestApi;
let served: Served;
let clusterId: string;
beforeAll(async () => {
  control = await startControlPlane({ kwok: { nodes: 3 } });
  aws = await startAwsController(control, { endpoint: emulatorUrl(), nodes: ["node-1", "node-2", "node-3"] });
  stage = await setClusterStage();
  api = createTestApi(stage.ctx);
  served = await serveFetch(api.handle);
  clusterId = await stage.attach(control.kubeconfig, "fra-aws");
});
afterAll(async () => {
  await served?.close();
  api?.close();
  await stage?.stop();
  await aws?.stop();
  await control?.stop();
});

let namespace: string;
beforeEach(async () => {
  expect(aws.isRunning(), aws.lastWords()).toBe(true);
  namespace = await control.createNamespace();
  await control.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf("redis", 2));
});

type Spec = Partial<Pick<CreateExposure, "strategy" | "ports">>;
const expose = (spec: Spec): Promise<Exposure> =>
  stage.expose({
    clusterId,
    name: `cache-${namespace}`,
    workload: { namespace, kind: "stateful-set", name: "redis" },
    ...spec,
  });
const read = async <T>(path: string): Promise<T> => (await (await api.fetch(stage.ctx, path)).json()) as T;
const mapOf = (id: string) => read<AddressMap>(`/exposures/${id}/mappings`);
const balancersOf = async (id: string) =>
  (await read<{ items: LoadBalancer[] }>(`/load-balancers?exposureId=${id}&sort=name&direction=asc`)).items;
const phasesOf = async (id: string) => (await balancersOf(id)).map(({ phase }) => phase);
const messageOf = async (id: string) => (await balancersOf(id))[0]?.message ?? "";
type Service = {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { type: string; loadBalancerClass?: string };
};
const services = async () =>
  (await control.api.get<{ items: Service[] }>(`/api/v1/namespaces/${namespace}/services`)).items;

/** remove deletes an exposure, and waits until nothing of it is left in Fairlead, the cluster or the cloud. */
async function remove(id: string): Promise<void> {
  await deleteExposure({ ...stage.ctx, now: new Date() }, id);
  await expect.poll(() => stage.database.db.exposure.count({ where: { id } }), patience).toBe(0);
  expect(await services()).toEqual([]);
  expect(await aws.balancers()).toEqual([]);
}

describe("AWS' controller", () => {
  it("gives each instance a network load balancer, serves its name in the map, and removes it again", async () => {
    const { id } = await expose({ strategy: dedicated });
    await expect.poll(() => phasesOf(id), patience).toEqual(["serving", "serving"]);
    const names = (await balancersOf(id)).map(({ address }) => address ?? "");
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(hostname);
    const made = await aws.balancers();
    expect(made.map((each) => each.hostname).sort()).toEqual([...names].sort());
    for (const { kind, scheme } of made)
      expect([kind, scheme]).toEqual(["network", expect.not.stringMatching("internal")]);

    const { entries } = await mapOf(id);
    // Pods have two families here, and a name leads to either.
    expect(new Set(entries.map((each) => `${each.instance} ${each.externalAddress} ${each.ready}`))).toEqual(
      new Set([`redis-0 ${names[0]} true`, `redis-1 ${names[1]} true`]),
    );
    const asYaml = await (await api.fetch(stage.ctx, `/exposures/${id}/mappings.yaml`)).text();
    expect(parse(asYaml).entries[0].externalAddress).toBe(names[0]);
    const compact = await (await api.fetch(stage.ctx, `/exposures/${id}/mappings?format=compact`)).text();
    expect(parse(compact)).toEqual({ "runtime-configuration": { "external-mapping": [] } });
    expect(compact).toContain('# "redis-1" is reached by a host name, which this format doesn\'t support.');

    const behind = async (name: string) =>
      (await read<FoundMappings>(`/mappings/lookup?externalAddress=${name}`)).mappings.map((each) => each.instance);
    expect(new Set(await behind(`${names[1]?.toUpperCase()}.:6379`))).toEqual(new Set(["redis-1"]));

    const key = {
      name: "app",
      role: "viewer",
      scopes: ["map:read"],
      requestsPerMinute: 600,
      expiresAt: null,
    } as const;
    const { key: apiKey } = await createApiKey({ ...stage.ctx, now: new Date() }, { ...key, scopes: [...key.scopes] });
    const mapper = new AddressMapper({ url: served.url, exposureId: id, apiKey });
    await mapper.start();
    for (const { instance, internalAddress } of entries) {
      const host = names[instance === "redis-0" ? 0 : 1] ?? "";
      expect(mapper.map(internalAddress, 6379)).toEqual({ host, port: 6379 });
      expect(instance).toBe(
        entries.find((each) => each.internalAddress === mapper.reverse(host, 6379)?.host)?.instance,
      );
    }
    await mapper.stop();

    const tried = await api.fetch(stage.ctx, `/exposures/${id}/mappings/try`, {
      method: "POST",
      json: { instance: "redis-0", by: "tcp" },
    });
    const { ends } = (await tried.json()) as TriedMapping;
    expect(ends.map((each) => [each.externalAddress, each.connectMs])).toEqual([[names[0], null]]);
    expect(ends[0]?.problem).toContain(names[0]);
    await remove(id);
  }, 180_000);

  it("gives all instances one load balancer, internal if requested", async () => {
    const { id } = await expose({ strategy: { type: "cloud", provider: "aws", scheme: "internal" } });
    await expect.poll(() => phasesOf(id), patience).toEqual(["serving"]);
    const [balancer] = await balancersOf(id);
    expect(balancer?.address).toMatch(hostname);
    expect(await aws.balancers()).toEqual([
      { hostname: balancer?.address, scheme: "internal", kind: "network", vpcId: expect.any(String) },
    ]);
    await remove(id);
  }, 180_000);

  it("creates load balancers whose metrics are found by the names in their Services", async () => {
    const { id } = await expose({ strategy: dedicated });
    await expect.poll(() => phasesOf(id), patience).toEqual(["serving", "serving"]);
    const balancers = await balancersOf(id);
    const metricsFor = awsCloudMetrics({ allowedEndpoints: [emulatorUrl()] });
    const at = { monitoringEndpoint: emulatorUrl(), balancingEndpoint: emulatorUrl() };
    const settings = { provider: "aws", region: "eu-central-1", ...at } as const;
    const names = balancers.map(({ address }) => address ?? "");
    const { found } = await metricsFor(settings, testCredentials).find(names, AbortSignal.timeout(10_000));
    const measuring = createTestBalancers();
    // After their creation, in a minute that has passed by the reader's clock.
    const minute = new Date(Math.ceil(Date.now() / 60_000) * 60_000);
    for (const [index, each] of found.entries())
      await measuring.measure({ ...each, arn: each.id }, minute, { ActiveFlowCount: index + 1 });
    const now = new Date(minute.getTime() + 120_000);
    const ctx = { ...stage.ctx, now, settings: { ...stage.ctx.settings, cloudEndpoints: [emulatorUrl()] } };
    const { db, url } = stage.database;
    const loop = await startLoop({
      db,
      listenUrl: url,
      reconcilers: [cloudMetricsReconciler(metricsFor, { box: cloudMetricsBox(ctx.settings.secret) })],
      log: silentLog,
      metrics: loopMetrics(createMetrics(), db),
      now: () => now,
    });
    await updateCluster(ctx, clusterId, { cloudMetrics: { ...settings, credentials: testCredentials } });
    await expect
      .poll(() => getCloudMetricsStatus(ctx, clusterId), patience)
      .toMatchObject({ phase: "reading", balancersTotal: 2, balancersFound: 2 });
    const query = { metrics: ["connectionsLive" as const], from: minute, to: now, maxPoints: 100 };
    const { series } = await querySeries(ctx, { ...query, subjectIds: balancers.map((each) => each.id) });
    expect(new Map(series.map(({ subjectId, points }) => [subjectId, points.map((each) => each.avg)]))).toEqual(
      new Map(balancers.map((each, index) => [each.id, [index + 1]])),
    );
    await updateCluster(ctx, clusterId, { cloudMetrics: null });
    await loop.stop();
    measuring.close();
    await remove(id);
  }, 180_000);

  it("is quoted when it refuses, and no longer once that is fixed", async () => {
    const { id } = await expose({
      strategy: { type: "cloud", provider: "aws", scheme: "public" },
      ports: [
        { port: 53, protocol: "tcp" },
        { port: 53, protocol: "udp" },
      ],
    });
    await expect
      .poll(() => messageOf(id), patience)
      .toMatch(
        /^The Service \S+ has no address\. service-controller reports: Error syncing load balancer: .*mixed protocol/,
      );
    expect(await phasesOf(id)).toEqual(["pending"]);
    expect((await getExposure(stage.ctx, id)).message).toContain("mixed protocol");
    await updateExposure({ ...stage.ctx, now: new Date() }, id, { ports: [{ port: 53, protocol: "udp" }] });
    await expect.poll(() => phasesOf(id), patience).toEqual(["serving"]);
    expect(await messageOf(id)).toBe("");
    await remove(id);
  }, 180_000);
});
