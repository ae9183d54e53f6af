import { afterEach, beforeAll, expect, it } from "vitest";
import { exposureLabel } from "./services/marks.ts";
import { type KubernetesObject, sharedControlPlane, statefulSetOf } from "./testing/index.ts";
import { exposureIn, openStage, type Stage } from "./testing/stage.ts";

// Services that can't be created as requested, and Services that already exist.

const never = new AbortController().signal;
const patience = { timeout: 20_000, interval: 20 };
const control = sharedControlPlane();
const { api } = control;
let namespace: string;
let stage: Stage;
beforeAll(async () => {
  namespace = await control.createNamespace();
});
afterEach(() => stage.close());

type Service = KubernetesObject & { spec: { selector?: Record<string, string> } };

const core = (namespace: string, kind: string, name = "") =>
  `/api/v1/namespaces/${namespace}/${kind}${name && `/${name}`}`;
const servicesOf = async (exposureId: string) =>
  (
    await api.get<{ items: Service[] }>(
      `/api/v1/services?labelSelector=${encodeURIComponent(`${exposureLabel}=${exposureId}`)}`,
    )
  ).items;

async function running(name: string, replicas: number): Promise<void> {
  await api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf(name, replicas));
  stage = openStage(control);
  const ready = () =>
    [...stage.view.pods.items.values()].filter(
      (pod) => pod.namespace === namespace && pod.labels.app === name && pod.ready,
    );
  await expect.poll(() => ready().length, patience).toBe(replicas);
}

it("reports an existing Service that isn't its own, doesn't change it, and creates the others", async () => {
  await running("etcd", 2);
  const foreign = { metadata: { name: "cache-etcd-0" }, spec: { ports: [{ port: 1 }], selector: { app: "theirs" } } };
  await api.create(core(namespace, "services"), foreign);
  const desired = exposureIn(namespace, "etcd");
  const { problems } = await stage.driver.set(desired, never);
  expect(problems).toEqual([
    {
      loadBalancerId: desired.loadBalancers[0]?.id,
      message: `the Service ${namespace}/cache-etcd-0 exists and does not belong to this exposure. Rename the Service or this exposure`,
    },
  ]);
  const theirs = await api.get<Service>(core(namespace, "services", "cache-etcd-0"));
  expect(theirs.spec.selector).toEqual({ app: "theirs" });
  expect(theirs.metadata.labels).toBeUndefined();
  expect((await servicesOf(desired.id)).map((each) => each.metadata.name)).toEqual(["cache-etcd-1"]);
  await stage.driver.set({ ...desired, deletedAt: new Date() }, never);
  expect((await api.get<Service>(core(namespace, "services", "cache-etcd-0"))).metadata.name).toBe("cache-etcd-0");
});

it("reports an exceeded quota with the cluster's message", async () => {
  await running("mongo", 2);
  const quota = { metadata: { name: "few" }, spec: { hard: { "services.loadbalancers": "0" } } };
  await api.create(core(namespace, "resourcequotas"), quota);
  // The API server and its controller need some time until the quota is in effect: before that, a Service is created, or
  // refused with another message. A dry run creates nothing.
  const spec = { type: "LoadBalancer", ports: [{ port: 1 }] };
  const refused = () =>
    api.create(`${core(namespace, "services")}?dryRun=All`, { metadata: { name: "tried" }, spec }).then(
      () => "",
      (error: Error) => error.message,
    );
  await expect.poll(refused, patience).toContain("exceeded quota: few");
  const desired = exposureIn(namespace, "mongo");
  const { problems } = await stage.driver.set(desired, never);
  expect(problems).toHaveLength(2);
  expect(problems[0]?.message).toMatch(/the cluster rejected the Service .*exceeded quota: few/);
  await api.delete(core(namespace, "resourcequotas", "few"));
});

it("shortens long names", async () => {
  const long = `a${"b".repeat(50)}`;
  await running(long, 1);
  const desired = { ...exposureIn(namespace, long, 1), name: `c${"d".repeat(50)}` };
  const { problems } = await stage.driver.set(desired, never);
  expect(problems).toEqual([]);
  const [service] = await servicesOf(desired.id);
  expect(service?.metadata.name).toMatch(/^cd+-[ab]*-?[0-9a-f]{8}$/);
  expect(service?.metadata.name.length).toBeLessThanOrEqual(63);
});
