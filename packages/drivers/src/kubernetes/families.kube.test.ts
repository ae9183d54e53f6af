import type { DesiredExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exposureLabel, loadBalancerLabel, managedBy, us } from "./services/marks.ts";
import { type KubernetesObject, sharedControlPlane } from "./testing/index.ts";
import { balancerOf, exposureIn, openStage, type Stage } from "./testing/stage.ts";

// This control plane has both families, IPv4 first.

const never = new AbortController().signal;
const control = sharedControlPlane();
let namespace: string;
let stage: Stage;
beforeAll(async () => {
  namespace = await control.createNamespace();
});
beforeEach(() => {
  stage = openStage(control);
});
afterEach(() => stage.close());

type Families = { ipFamilyPolicy: string; ipFamilies: string[]; clusterIPs: string[] };

const pathOf = (name: string) => `/api/v1/namespaces/${namespace}/services/${name}`;
async function familiesOf(name: string): Promise<Families> {
  const { spec } = await control.api.get<KubernetesObject & { spec: Families }>(pathOf(name));
  const { ipFamilyPolicy, ipFamilies, clusterIPs } = spec;
  return { ipFamilyPolicy, ipFamilies, clusterIPs };
}
const spec = (name: string): DesiredExposure => ({
  ...exposureIn(namespace),
  name,
  workload: { namespace, kind: "selector", selector: { app: name } },
  loadBalancers: [balancerOf("0")],
});
const with6380 = (desired: DesiredExposure): DesiredExposure => ({
  ...desired,
  ports: [{ port: 6380, targetPort: 6379, protocol: "tcp" }],
});
const messages = async (desired: DesiredExposure) =>
  (await stage.driver.set(desired, never)).changes.map((each) => each.message);

describe("the families of a Service", () => {
  it("are both for a new one, and stay both with its addresses when other fields change", async () => {
    const desired = spec("both");
    await stage.driver.set(desired, never);
    const created = await familiesOf("both-0");
    expect(created).toMatchObject({ ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4", "IPv6"] });
    expect(await messages(with6380(desired))).toEqual([expect.stringContaining("spec.ports")]);
    // Fairlead no longer owns these fields after the first change, and the second must not change them either.
    expect(await messages(desired)).toEqual([expect.stringContaining("spec.ports")]);
    expect(await familiesOf("both-0")).toEqual(created);
    expect(await messages(desired)).toEqual([]);
  });

  it("stay one if an earlier version created it so, with its address", async () => {
    const desired = spec("one");
    const labels = {
      [managedBy]: us,
      [exposureLabel]: desired.id,
      [loadBalancerLabel]: desired.loadBalancers[0]?.id ?? "",
    };
    const earlier = {
      ...{ apiVersion: "v1", kind: "Service", metadata: { name: "one-0", namespace, labels } },
      spec: { type: "LoadBalancer", ports: [{ name: "tcp-1", protocol: "TCP", port: 1 }], selector: labels },
    };
    await stage.calls.applyService(earlier, AbortSignal.timeout(30_000));
    const created = await familiesOf("one-0");
    expect(created).toMatchObject({ ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"] });
    expect(await messages(desired)).toEqual([expect.not.stringContaining("ipFamil")]);
    expect(await messages(desired)).toEqual([]);
    expect(await messages(with6380(desired))).toEqual([expect.stringContaining("(spec.ports)")]);
    expect(await familiesOf("one-0")).toEqual(created);
  });

  it("stay as set manually", async () => {
    const desired = spec("manual");
    await stage.driver.set(desired, never);
    const { ipFamilies, clusterIPs } = await familiesOf("manual-0");
    const one = {
      ipFamilyPolicy: "SingleStack",
      ipFamilies: ipFamilies.slice(0, 1),
      clusterIPs: clusterIPs.slice(0, 1),
    };
    await control.api.merge(pathOf("manual-0"), { spec: one });
    await stage.driver.set(with6380(desired), never);
    expect(await familiesOf("manual-0")).toEqual(one);
  });
});
