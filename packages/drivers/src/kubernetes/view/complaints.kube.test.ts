import { kubernetesPermissions } from "@fairlead/domain/kubernetes";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sharedControlPlane, statefulSetOf } from "../testing/index.ts";
import { exposureIn, openStage, type Stage } from "../testing/stage.ts";

const control = sharedControlPlane();
const patience = { timeout: 20_000, interval: 20 };
const signal = AbortSignal.timeout(110_000);
let namespace: string;
let stage: Stage;
beforeEach(async () => {
  namespace = await control.createNamespace();
  await control.api.create(`/apis/apps/v1/namespaces/${namespace}/statefulsets`, statefulSetOf("redis", 1));
});
afterEach(() => stage.close());

async function makeOne() {
  const desired = exposureIn(namespace, "redis", 1);
  await stage.driver.set(desired, signal);
  const [service] = (
    await control.api.get<{ items: { metadata: { name: string; uid: string } }[] }>(
      `/api/v1/namespaces/${namespace}/services`,
    )
  ).items;
  if (!service) throw new Error("no Service was created");
  const message = async () => (await stage.driver.observe(desired, signal)).loadBalancers[0]?.message;
  const events = `/api/v1/namespaces/${namespace}/events`;
  const complain = (name: string, text: string, about: object = {}) =>
    control.api.create(events, {
      metadata: { name },
      type: "Warning",
      reason: "SyncLoadBalancerFailed",
      message: text,
      source: { component: "service-controller" },
      involvedObject: { kind: "Service", namespace, name: service.metadata.name, uid: service.metadata.uid },
      ...about,
    });
  return { name: service.metadata.name, message, events, complain };
}

it("a controller's newest warning is quoted for as long as the cluster keeps the event", async () => {
  stage = openStage(control);
  const { name, message, events, complain } = await makeOne();
  const plain = await message();
  expect(plain).toContain("has no address yet");
  await complain("of-a-pod", "no such image", { involvedObject: { kind: "Pod", namespace, name: "redis-0" } });
  await complain("a-word", "Ensuring load balancer", { type: "Normal" });
  const before = stage.sights.length;
  await complain("first", "Error syncing load balancer:\n quota exceeded");
  const quoted = (what: string) =>
    `The Service ${namespace}/${name} has no address. service-controller reports: ${what}`;
  await expect.poll(message, patience).toBe(quoted("Error syncing load balancer: quota exceeded"));
  // The change is reported for its Service.
  expect(stage.sights.slice(before)).toContainEqual(
    expect.objectContaining({ type: "service", after: expect.objectContaining({ name, namespace }) }),
  );
  await complain("second", "no subnet");
  await expect.poll(message, patience).toBe(quoted("no subnet"));
  // The first event is repeated.
  await control.api.merge(`${events}/first`, { count: 2, message: "quota exceeded again" });
  await expect.poll(message, patience).toBe(quoted("quota exceeded again"));
  await control.api.delete(`${events}/first`);
  await control.api.delete(`${events}/second`);
  await expect.poll(message, patience).toBe(plain);
});

it("without permission to read events, everything else works", async () => {
  const rules = kubernetesPermissions
    .filter(({ resource }) => resource !== "events")
    .map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs: [...verbs] }));
  const account = await control.createServiceAccount(namespace, rules);
  stage = openStage(control, { kubeconfig: account.kubeconfig });
  const { message, complain } = await makeOne();
  await complain("first", "quota exceeded");
  expect(await message()).toContain("has no address yet");
  expect(stage.troubles).toEqual([]);
  expect(stage.view.lastingTrouble()).toBeNull();
});
