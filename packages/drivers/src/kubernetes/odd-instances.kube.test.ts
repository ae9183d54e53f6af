import { type DesiredExposure, mostInstances, summarizeExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeAll, expect, it } from "vitest";
import { exposureLabel } from "./services/marks.ts";
import { type KubernetesObject, sharedControlPlane, startControlPlane, workloadOf } from "./testing/index.ts";
import { balancerOf, exposureIn, openStage, type Stage } from "./testing/stage.ts";

// Unusual workloads: no pods, far too many, pods without an address or with two, long names.

const never = new AbortController().signal;
const patience = { timeout: 30_000, interval: 20 };
const control = sharedControlPlane();
let namespace: string;
let stage: Stage;
beforeAll(async () => {
  namespace = await control.createNamespace();
});
afterEach(() => stage.close());

const core = (kind: string, name = "") => `/api/v1/namespaces/${namespace}/${kind}${name && `/${name}`}`;
const podOf = (name: string, app: string, more: object = {}) => ({
  metadata: { name, labels: { app } },
  spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "app", image: "example.test/app:1" }], ...more },
});
const selecting = (app: string, ...instances: string[]): DesiredExposure => ({
  ...exposureIn(namespace),
  name: app,
  workload: { namespace, kind: "selector", selector: { app } },
  loadBalancers: instances.map((each) => balancerOf(each)),
});
/** The status that users see. */
async function statusOf(desired: DesiredExposure): Promise<{ phase: string; message: string }> {
  const { phase, message } = summarizeExposure(desired, await stage.driver.observe(desired, never));
  return { phase, message };
}
const give = (name: string, ...ips: string[]) =>
  control.api.merge(`${core("services", name)}/status`, {
    status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
  });

it("a selector without pods is pending, and its message explains why", async () => {
  stage = openStage(control);
  const desired = selecting("missing");
  expect(await stage.driver.set(desired, never)).toEqual({ changes: [], problems: [] });
  expect(await statusOf(desired)).toEqual({
    phase: "pending",
    message: "Nothing to expose yet: there is no instance of the pods with app=missing.",
  });
});

it("a selector with 5 000 pods gets the maximum of addresses, and its message reports the rest", async () => {
  const own = await startControlPlane();
  try {
    const names = Array.from({ length: 5_000 }, (_, i) => `pod-${i}`);
    const queue = names.values();
    const create = async () => {
      for (const name of queue) await own.api.create("/api/v1/namespaces/default/pods", podOf(name, "crowd"));
    };
    await Promise.all(Array.from({ length: 16 }, create));
    stage = openStage(own);
    const desired: DesiredExposure = {
      ...selecting("crowd", "crowd-0"),
      workload: { namespace: "default", kind: "selector", selector: { app: "crowd" } },
    };
    const { instances } = await stage.driver.observe(desired, never);
    expect(instances).toHaveLength(mostInstances);
    expect((await statusOf(desired)).message).toMatch(
      /^5000 instances are 3000 more than one exposure may have: scale down the pods with app=crowd, or split it into several exposures\./,
    );
  } finally {
    await own.stop();
  }
}, 300_000);

it("a pod without an address has a Service, and is mapped once it has an address", async () => {
  // No scheduler places it on a node.
  await control.api.create(core("pods"), podOf("homeless", "waiting", { schedulerName: "none" }));
  stage = openStage(control);
  const desired = selecting("waiting", "waiting-0");
  await expect.poll(async () => (await stage.driver.observe(desired, never)).instances.length, patience).toBe(1);
  await stage.driver.set(desired, never);
  await give("waiting-waiting-0", "192.0.2.40");
  await expect
    .poll(() => statusOf(desired), patience)
    .toEqual({
      phase: "degraded",
      message: "0 of 1 load balancer serve fully: The pod homeless has no address yet.",
    });
  await control.api.merge(`${core("pods", "homeless")}/status`, {
    status: { phase: "Running", podIP: "10.9.0.1", podIPs: [{ ip: "10.9.0.1" }] },
  });
  const mapped = async () =>
    (await stage.driver.observe(desired, never)).loadBalancers.flatMap((each) => each.mappings);
  await expect
    .poll(async () => (await mapped()).map((each) => `${each.internalAddress} ${each.externalAddress}`), patience)
    .toEqual(["10.9.0.1 192.0.2.40"]);
});

it("a pod with both families has a mapping for each of its addresses", async () => {
  await control.api.create(core("pods"), podOf("both", "dual", { schedulerName: "none" }));
  await control.api.merge(`${core("pods", "both")}/status`, {
    status: { phase: "Running", podIP: "10.9.0.2", podIPs: [{ ip: "10.9.0.2" }, { ip: "2001:db8::2" }] },
  });
  stage = openStage(control);
  const desired = selecting("dual", "dual-0");
  await expect.poll(async () => (await stage.driver.observe(desired, never)).instances.length, patience).toBe(1);
  await stage.driver.set(desired, never);
  const service = await control.api.get<KubernetesObject & { spec: { ipFamilies: string[] } }>(
    core("services", "dual-dual-0"),
  );
  expect([...service.spec.ipFamilies].sort()).toEqual(["IPv4", "IPv6"]);
  await give("dual-dual-0", "192.0.2.41", "2001:db8:1::41");
  const mapped = async () =>
    (await stage.driver.observe(desired, never)).loadBalancers.flatMap((each) => each.mappings);
  await expect
    .poll(async () => (await mapped()).map((each) => `${each.internalAddress} ${each.externalAddress}`), patience)
    .toEqual(["10.9.0.2 192.0.2.41", "2001:db8::2 2001:db8:1::41"]);
  expect((await stage.driver.set(desired, never)).changes).toEqual([]);
});

it("a workload with a name too long for labels and Services is exposed, each instance with its own name", async () => {
  const long = `shop-${"very-".repeat(14)}long`;
  const labels = { app: "long" };
  const pod = podOf("", "long");
  const more = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod.spec } };
  await control.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, workloadOf(long, 2, more));
  stage = openStage(control);
  const desired: DesiredExposure = {
    ...exposureIn(namespace, long, 0),
    workload: { namespace, kind: "deployment", name: long },
  };
  const instances = async () => (await stage.driver.observe(desired, never)).instances;
  await expect.poll(async () => (await instances()).filter((each) => each.ready).length, patience).toBe(2);
  const requested = { ...desired, loadBalancers: (await instances()).map((each) => balancerOf(each.name)) };
  expect((await stage.driver.set(requested, never)).problems).toEqual([]);
  const names = stage.view.servicesOf(exposureLabel, desired.id).map((each) => each.name);
  expect(new Set(names).size).toBe(2);
  expect(names.every((each) => each.length <= 63)).toBe(true);
  await expect.poll(async () => (await stage.driver.set(requested, never)).changes, patience).toEqual([]);
  // Kubernetes creates the endpoints a little later.
  const addressesOf = async (name: string) => {
    const { items } = await control.api.get<{ items: { endpoints: { addresses: string[] }[] | null }[] }>(
      `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3D${name}`,
    );
    return items.flatMap(({ endpoints }) => endpoints ?? []).flatMap(({ addresses }) => addresses);
  };
  const reached = async () => (await Promise.all(names.map(addressesOf))).flat().sort();
  const ofPods = (await instances()).flatMap(({ place }) => place?.addresses ?? []).sort();
  expect(ofPods).toHaveLength(2);
  await expect.poll(reached, patience).toEqual(ofPods);
});

it("many Services are created in several passes, and none is removed before the last", async () => {
  stage = openStage(control, { passMs: 0 });
  const first = selecting("slow", "slow-old");
  await stage.driver.set(first, never);
  const desired = { ...first, loadBalancers: Array.from({ length: 100 }, (_, i) => balancerOf(`slow-${i}`)) };
  const names = () => stage.view.servicesOf(exposureLabel, desired.id).map((each) => each.name);
  let passes = 0;
  let isUnfinished = true;
  while (isUnfinished) {
    passes += 1;
    ({ isUnfinished = false } = await stage.driver.set(desired, never));
    expect(names().includes("slow-slow-old")).toBe(isUnfinished);
  }
  expect(passes).toBeGreaterThan(2);
  expect(names()).toHaveLength(100);
});
