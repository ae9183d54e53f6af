import type { DesiredExposure } from "@fairlead/domain/exposure";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exposureLabel, loadBalancerLabel, managedBy, us } from "./services/marks.ts";
import { type KubernetesObject, sharedControlPlane } from "./testing/index.ts";
import { balancerOf, exposureIn, openStage, type Stage } from "./testing/stage.ts";

// The control plane that answers here is of both families, IPv4 first.

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
  it("are both when it is made, and stay both with the addresses it has when something else of it changes", async () => {
    const desired = spec("both");
    await stage.driver.set(desired, never);
    const made = await familiesOf("both-0");
    expect(made).toMatchObject({ ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4", "IPv6"] });
    expect(await messages(with6380(desired))).toEqual([expect.stringContaining("spec.ports")]);
    // Ours no more after the first change, and to be left alone by the second too.
    expect(await messages(desired)).toEqual([expect.stringContaining("spec.ports")]);
    expect(await familiesOf("both-0")).toEqual(made);
    expect(await messages(desired)).toEqual([]);
  });

  it("stay one where an earlier version made it so, with the address it has", async () => {
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
    const made = await familiesOf("one-0");
    expect(made).toMatchObject({ ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"] });
    expect(await messages(desired)).toEqual([expect.not.stringContaining("ipFamil")]);
    expect(await messages(desired)).toEqual([]);
    expect(await messages(with6380(desired))).toEqual([expect.stringContaining("(spec.ports)")]);
    expect(await familiesOf("one-0")).toEqual(made);
  });

  it("are whatever somebody made of them", async () => {
    const desired = spec("told");
    await stage.driver.set(desired, never);
    const { ipFamilies, clusterIPs } = await familiesOf("told-0");
    const one = {
      ipFamilyPolicy: "SingleStack",
      ipFamilies: ipFamilies.slice(0, 1),
      clusterIPs: clusterIPs.slice(0, 1),
    };
    await control.api.merge(pathOf("told-0"), { spec: one });
    await stage.driver.set(with6380(desired), never);
    expect(await familiesOf("told-0")).toEqual(one);
  });
});
