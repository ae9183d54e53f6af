import { canonicalJson } from "@fairlead/domain";
import type {
  DesiredExposure,
  DesiredLoadBalancer,
  ExposureRef,
  ObservedLoadBalancer,
} from "@fairlead/domain/exposure";
import type { Change } from "../driver.ts";
import type { ExposureDriver } from "../exposure-driver.ts";
import type { FakeBalancer, World } from "./world.ts";

let drivers = 0;

/** fakeExposureDriver drives a fake world like a real driver: list, compare, then one operation per difference. */
export function fakeExposureDriver(world: World, who = `driver-${++drivers}`): ExposureDriver {
  return {
    supports: () => true,
    async set(desired, signal) {
      const changes = await inside(world, desired.id, who, signal, () => setWhole(world, desired, signal));
      return { changes, problems: [] };
    },
    listInstances: (ref, signal) => world.instances(ref.id, signal),
    async observe(ref, signal) {
      const [balancers, instances] = await Promise.all([world.list(ref.id, signal), world.instances(ref.id, signal)]);
      return { loadBalancers: balancers.map((each, i) => observed(ref, each, i)), instances };
    },
  };
}

async function setWhole(world: World, desired: DesiredExposure, signal: AbortSignal): Promise<Change[]> {
  const there = new Map((await world.list(desired.id, signal)).map((each) => [each.id, each]));
  const wanted = desired.deletedAt ? [] : desired.loadBalancers.filter((each) => !each.deletedAt);
  const changes: Change[] = [];
  for (const loadBalancer of wanted) {
    const balancer = wantedBalancer(desired, loadBalancer);
    const before = there.get(loadBalancer.id);
    there.delete(loadBalancer.id);
    if (before && sameBalancer(before, balancer)) continue;
    if (before) await world.update(desired.id, balancer, signal);
    else await world.create(desired.id, balancer, signal);
    changes.push({ message: `${before ? "changed" : "made"} ${balancer.name}` });
  }
  for (const balancer of there.values()) {
    await world.remove(desired.id, balancer.id, signal);
    changes.push({ message: `removed ${balancer.name}` });
  }
  return changes;
}

function wantedBalancer(desired: DesiredExposure, loadBalancer: DesiredLoadBalancer): FakeBalancer {
  const { id, name, kind, instance, address } = loadBalancer;
  const ports = desired.ports.map(({ port, targetPort, protocol }) => ({
    port,
    targetPort: targetPort ?? port,
    protocol,
  }));
  const replicas = loadBalancer.replicas.map((each) => ({ id: each.id, nodeId: each.nodeId }));
  return { id, name, kind, instance, ports, replicas, address };
}

/** An address that the provider chooses is not a difference. */
function sameBalancer(there: FakeBalancer, wanted: FakeBalancer): boolean {
  return canonicalJson(there) === canonicalJson({ ...wanted, address: wanted.address ?? there.address });
}

function observed(ref: ExposureRef, balancer: FakeBalancer, index: number): ObservedLoadBalancer {
  const whole = balancer.ports.length > 0;
  const instance = balancer.instance ?? `${ref.name}-0`;
  return {
    id: balancer.id,
    phase: whole ? "serving" : "failed",
    message: whole ? "" : "Its ports are gone.",
    address: balancer.address,
    replicas: balancer.replicas.map((each) => ({ ...each, ready: whole, message: "" })),
    backends: balancer.ports.map(({ targetPort, protocol }) => ({
      instance,
      protocol,
      address: "10.1.0.1",
      port: targetPort,
      weight: 1,
      state: "active",
      health: "up",
    })),
    mappings: balancer.ports.map(({ port, targetPort, protocol }) => ({
      instance,
      pod: instance,
      node: `node-${index + 1}`,
      protocol,
      internalAddress: `10.2.0.${index + 1}`,
      internalPort: targetPort,
      externalAddress: balancer.address ?? "",
      externalPort: port,
      ready: whole,
    })),
  };
}

async function inside<T>(
  world: World,
  exposureId: string,
  who: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await world.enter(exposureId, who, signal);
    return await work();
  } finally {
    await world.leave(exposureId, who);
  }
}
