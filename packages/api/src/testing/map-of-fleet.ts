import { newId } from "@fairlead/domain";
import type { ServiceContext } from "@fairlead/services";
import type { FleetIds } from "./inputs.ts";

/** What a reader could join to an address map. */
export type FleetMap = {
  /** The internal addresses of instances. */
  internal: string[];
  /** The external addresses that lead to them. */
  external: string[];
  /** Names and ids of what an external address leads to. */
  owners: string[];
};

const name = "ferry-0";
const own = { internalAddress: "10.77.0.5", externalAddress: "192.0.2.177" };
const six = { internalAddress: "fd77::5", externalAddress: "lb-77.elb.example.net" };

/** mapFleet gives a fleet's exposure an address map, and stores its addresses wherever the product has room for them. */
export async function mapFleet({ db, organizationId, now }: ServiceContext, ids: FleetIds): Promise<FleetMap> {
  const [exposureId, loadBalancerId, clusterId] = [ids.exposure, ids.loadBalancer, ids.cluster];
  const text = `${name} at ${own.internalAddress} is behind ${own.externalAddress}, and [${six.internalAddress}]:80 behind ${six.externalAddress}.`;
  const observed = { phase: "degraded", message: text, observedAt: now };
  await db.exposure.update({ where: { id: exposureId }, data: { name: "ferry" } });
  await db.loadBalancer.update({ where: { id: loadBalancerId }, data: { name, instance: name } });
  await db.virtualAddress.update({ where: { loadBalancerId }, data: { address: own.externalAddress } });
  const cloudId = newId("loadBalancer");
  const cloud = { id: cloudId, organizationId, clusterId, exposureId, name: "ferry-1", kind: "cloud" };
  await db.loadBalancer.create({ data: { ...cloud, instance: "ferry-1" } });
  for (const [id, address] of [[loadBalancerId, null] as const, [cloudId, six.externalAddress] as const])
    await db.loadBalancerStatus.create({ data: { loadBalancerId: id, address, ...observed } });
  const conditions = [{ type: "Ready", status: "false", reason: "Down", message: text, changedAt: now }];
  await db.exposureStatus.create({ data: { exposureId, ...observed, conditions } });
  await db.reconcileTask.updateMany({ where: { objectId: exposureId }, data: { resting: true, lastError: text } });

  const mapped = [
    { ...own, loadBalancerId, instance: name },
    { ...six, loadBalancerId: cloudId, instance: "ferry-1" },
  ];
  for (const { loadBalancerId, instance, internalAddress, externalAddress } of mapped) {
    const end = { protocol: "tcp", internalAddress, internalPort: 80, externalAddress, externalPort: 443, ready: true };
    await db.addressMapping.create({
      data: {
        ...{ ...end, id: newId("addressMapping"), organizationId, exposureId, loadBalancerId, instance },
        ...{ since: now, observedAt: now },
      },
    });
    await db.addressMappingChange.create({
      data: {
        ...{ id: newId("addressMappingChange"), organizationId, exposureId, instance, what: "added" },
        ...{ after: { pod: instance, node: "n", ready: true, ends: [end] }, generation: 1, at: now },
      },
    });
    const backendId = newId("backend");
    await db.backend.create({
      data: {
        ...{ id: backendId, loadBalancerId, instance, protocol: "tcp", address: internalAddress, port: 80 },
        ...{ state: "active", health: "down", observedAt: now },
      },
    });
    await db.instance.create({
      data: {
        ...{ id: newId("instance"), organizationId, clusterId, name: instance, workload: "ferry", nodeName: "n" },
        ...{ addresses: [internalAddress], ready: true, source: "kubernetes", changedAt: now },
      },
    });
    const replica = await db.replica.findFirst({ where: { loadBalancerId } });
    if (!replica) continue;
    const failed = { message: text, observedAt: now };
    await db.replica.update({ where: { id: replica.id }, data: { nodeId: ids.node, agentId: ids.agent } });
    await db.replicaStatus.create({ data: { replicaId: replica.id, nodeId: ids.node, ready: false, ...failed } });
    await db.backendStatus.create({ data: { backendId, replicaId: replica.id, health: "down", ...failed } });
  }
  await recordPast({ db, organizationId, now } as ServiceContext, ids, text);
  const prefix = `${own.externalAddress}/32`;
  const where = { clusterId };
  await db.balancerStatus.upsert({
    where: { agentId: ids.agent },
    create: { agentId: ids.agent, engine: "ebpf", address: "10.0.0.2", observedAt: now },
    update: {},
  });
  await db.announcement.updateMany({ where, data: { prefix, loadBalancerId } });
  await db.route.updateMany({ where, data: { prefix } });
  await db.routeUpdate.updateMany({ where, data: { prefix } });
  await db.cloudAddress.updateMany({ where, data: { address: own.externalAddress, loadBalancerId } });
  const changed = { kind: "announcement", about: own.externalAddress, fromState: "offered", toState: "withdrawn" };
  await db.bgpTransition.create({
    data: {
      ...{ id: newId("bgpTransition"), organizationId, clusterId, agentId: ids.agent, nodeName: "n", loadBalancerId },
      ...{ ...changed, at: now, reason: "drained" },
    },
  });
  return {
    internal: mapped.map((each) => each.internalAddress),
    external: mapped.map((each) => each.externalAddress),
    owners: [...mapped.flatMap((each) => [each.instance, each.loadBalancerId]), exposureId],
  };
}

async function recordPast({ db, organizationId, now }: ServiceContext, ids: FleetIds, text: string): Promise<void> {
  const subjects = [
    { subjectKind: "exposure", subjectId: ids.exposure, subjectName: "ferry" },
    { subjectKind: "load-balancer", subjectId: ids.loadBalancer, subjectName: name },
    { subjectKind: "cluster", subjectId: ids.cluster, subjectName: "c" },
  ];
  for (const subject of subjects) {
    const event = { severity: "warning", reason: "ReplicaMoved", message: text, at: now, clusterId: ids.cluster };
    await db.event.create({ data: { id: newId("event"), organizationId, ...event, ...subject } });
  }
  for (const subject of subjects.slice(0, 2))
    await db.auditEntry.create({
      data: {
        ...{ id: newId("auditEntry"), organizationId, actorKind: "user", actorId: "u", actorName: "U" },
        ...{ action: "exposure.update", ...subject, before: { addresses: [text] }, after: { address: text } },
      },
    });
}
