import { randomBytes, randomInt } from "node:crypto";
import { inspect } from "node:util";
import { newId } from "@fairlead/domain";
import { type Actor, type Role, roles } from "@fairlead/domain/access";
import { hourOf, monthOf } from "@fairlead/domain/cost";
import { moveGates } from "@fairlead/domain/move";
import type { ServiceContext } from "@fairlead/services";
import { Partitions, refreshSubjects, SeriesIds } from "@fairlead/services/gateway";
import { createTestExposure, createTestNode, createTestOrganization } from "@fairlead/services/testing";
import type { FleetIds } from "./inputs.ts";

export type Fleet = {
  owner: ServiceContext;
  users: Record<Role, Actor>;
  ids: FleetIds;
  /** Texts that only this organisation has: an answer to another organisation must not contain one. */
  marks: string[];
  /** Every row of the organisation. */
  snapshot: () => Promise<object>;
};

/** createTestFleet creates an organisation with a user of each role and one of every object. */
export async function createTestFleet(db: ServiceContext["db"]): Promise<Fleet> {
  const owner = await createTestOrganization(db);
  const { organizationId, now } = owner;
  const mark = `m${randomBytes(5).toString("hex")}`;
  await db.organization.update({ where: { id: organizationId }, data: { name: mark } });
  const users = {} as Record<Role, Actor>;
  let memberId = "";
  for (const role of roles) {
    const id = `${role}-${mark}`;
    memberId = newId("member");
    await db.user.create({ data: { id, name: id, email: `${role}@${mark}.test`, emailVerified: true } });
    await db.member.create({ data: { id: memberId, organizationId, userId: id, role } });
    await db.session.create({ data: { id, token: id, userId: id, expiresAt: new Date(now.getTime() + 3_600_000) } });
    users[role] = { kind: "user", id, name: id, role, sessionId: id };
  }
  const { cluster, pool, exposure } = await createTestExposure(owner, { name: mark });
  await db.cluster.update({ where: { id: cluster.id }, data: { region: mark } });
  await db.addressPool.update({ where: { id: pool.id }, data: { note: mark } });
  const { nodeId, agentId } = await createTestNode(owner, cluster.id, { name: mark });
  const { id: loadBalancerId } = await db.loadBalancer.findFirstOrThrow({ where: { exposureId: exposure.id } });
  const converge = randomInt(1_000_000, 10_000_000) + 0.25;
  const seen = { organizationId, clusterId: cluster.id, agentId, observedAt: now };
  const peer = { peerAddress: "10.0.0.1", peerAsn: 65_021, localAsn: 65_021, state: "idle", lastError: mark };
  await db.bgpSession.create({ data: { id: newId("bgpSession"), ...seen, ...peer } });
  const ended = {
    kind: "session",
    about: "10.0.0.1",
    peerAsn: 65_021,
    fromState: "established",
    toState: "idle",
    at: now,
  };
  const reported = { organizationId, clusterId: cluster.id, agentId, nodeName: mark };
  await db.bgpTransition.create({ data: { id: newId("bgpTransition"), ...reported, ...ended, reason: mark } });
  const offer = { prefix: "192.0.2.1/32", nextHop: "10.0.0.2", loadBalancerId, state: "offered", stateSince: now };
  await db.announcement.create({ data: { id: newId("announcement"), ...seen, ...offer, reason: mark } });
  const nextHops = [{ address: "10.0.0.2", weight: 1, since: now }];
  await db.route.create({ data: { id: newId("route"), ...seen, prefix: "192.0.2.1/32", since: now, nextHops } });
  const steps = [{ step: "announced", agentId, nodeName: mark, atUs: now.getTime() * 1_000 }];
  const change = { prefix: "192.0.2.1/32", nextHop: "10.0.0.2", isWithdrawal: false, beganAt: now, steps };
  await db.routeUpdate.create({
    data: { id: newId("routeUpdate"), organizationId, clusterId: cluster.id, ...change, phases: { converge } },
  });
  const settings = {
    provider: "aws",
    region: "eu-central-1",
    method: "secondary-address",
    endpoint: null,
    vpcId: null,
  };
  await db.cloudRoute.create({ data: { clusterId: cluster.id, settings, credentials: "" } });
  const placed = { address: "192.0.2.1", loadBalancerId, state: "placed", reason: mark, decidedAt: now };
  await db.cloudAddress.create({
    data: { id: newId("cloudAddress"), organizationId, clusterId: cluster.id, ...placed },
  });
  const mapped = {
    ...{ instance: mark, pod: mark, node: mark, protocol: "tcp", ready: true, since: now },
    ...{ internalAddress: "10.0.0.1", internalPort: 80, externalAddress: "192.0.2.1", externalPort: 443 },
  };
  await db.addressMapping.create({
    data: {
      id: newId("addressMapping"),
      organizationId,
      exposureId: exposure.id,
      loadBalancerId,
      ...mapped,
      observedAt: now,
    },
  });
  await db.addressMappingChange.create({
    data: {
      ...{ id: newId("addressMappingChange"), organizationId, exposureId: exposure.id },
      ...{ instance: mark, what: "added", generation: 1, at: now },
    },
  });
  const reached = {
    type: "kubeconfig",
    server: mark,
    contextName: mark,
    userType: "token",
    certificateExpiresAt: null,
  };
  await db.kubernetesAccess.create({ data: { clusterId: cluster.id, settings: reached, sealed: "" } });
  const answered = { generation: 1, phase: "refused", message: mark, observedAt: now, since: now };
  await db.kubernetesStatus.create({ data: { clusterId: cluster.id, ...answered } });
  const measuredAt = { provider: "aws", region: "eu-central-1", monitoringEndpoint: null, balancingEndpoint: null };
  await db.cloudMetrics.create({ data: { clusterId: cluster.id, settings: measuredAt, credentials: "" } });
  await db.cloudMetricsStatus.create({ data: { clusterId: cluster.id, ...answered } });
  await db.inventoryItem.create({
    data: {
      ...{ id: newId("inventoryItem"), organizationId, clusterId: cluster.id, kind: "node", namespace: "" },
      ...{ name: mark, desired: 1, ready: 1, addresses: [], changedAt: now },
    },
  });
  const common = { organizationId, createdBy: users.owner.id };
  const expiresAt = new Date(now.getTime() + 3_600_000);
  const ids: FleetIds = {
    organization: organizationId,
    cluster: cluster.id,
    addressPool: pool.id,
    exposure: exposure.id,
    loadBalancer: loadBalancerId,
    node: nodeId,
    agent: agentId,
    member: memberId,
    enrollmentToken: newId("enrollmentToken"),
    invitation: newId("invitation"),
    apiKey: newId("apiKey"),
    identityProvider: newId("identityProvider"),
    experiment: newId("experiment"),
    move: newId("move"),
    negotiatedPrice: newId("negotiatedPrice"),
    ownMachine: newId("ownMachine"),
    currencyRate: newId("currencyRate"),
    budget: newId("budget"),
    // Prices belong to no organisation, so this one doesn't exist.
    priceRefresh: newId("priceRefresh"),
  };
  const booked = { organizationId, validFrom: "2026-01-01", note: mark, createdAt: now, updatedAt: now };
  await db.negotiatedPrice.create({
    data: {
      ...{ ...booked, id: ids.negotiatedPrice, provider: "own", region: "any", sku: "egress", unit: "GB" },
      ...{ micros: 10_000, per: 1, currency: "USD" },
    },
  });
  await db.ownMachine.create({
    data: {
      ...{ ...booked, id: ids.ownMachine, name: mark, cores: 4, networkMbps: 1_000, currency: "USD", pue: 1.2 },
      ...{ purchaseMicros: 1_000_000_000, amortisedMonths: 36, powerWatts: 90, kwhMicros: 300_000, staffShare: 0.5 },
      ...{ hostingMonthlyMicros: 0, staffHoursPerMonth: 1, staffHourlyMicros: 50_000_000 },
    },
  });
  await db.currencyRate.create({
    data: {
      ...{ id: ids.currencyRate, organizationId, fromCurrency: "EUR", toCurrency: "USD", rate: 1.08 },
      ...{ asOf: "2026-01-01", source: mark, createdAt: now, updatedAt: now },
    },
  });
  await db.budget.create({
    data: {
      ...{ id: ids.budget, organizationId, name: mark, scope: { type: "cluster", clusterId: cluster.id } },
      ...{ amountMicros: 500_000_000, currency: "USD", warnAtPercent: 80, createdAt: now, updatedAt: now },
    },
  });
  await db.enrollmentToken.create({
    data: { ...common, id: ids.enrollmentToken, clusterId: cluster.id, nodeName: mark, secretHash: mark, expiresAt },
  });
  await db.invitation.create({
    data: { ...common, id: ids.invitation, email: `new@${mark}.test`, role: "viewer", tokenHash: mark, expiresAt },
  });
  await db.apiKey.create({
    data: {
      ...common,
      id: ids.apiKey,
      name: mark,
      start: mark,
      keyHash: mark,
      role: "viewer",
      scopes: [],
      requestsPerMinute: 60,
    },
  });
  const course = {
    changeEverySeconds: 20,
    durationSeconds: 600,
    fewestReplicas: 1,
    seed: 1,
    replicas: [],
    startedBy: mark,
  };
  await db.experiment.create({
    data: { organizationId, clusterId: cluster.id, id: ids.experiment, ...course, state: "running", startedAt: now },
  });
  const step = {
    id: newId("experimentStep"),
    organizationId,
    experimentId: ids.experiment,
    kind: "requested",
    at: now,
  };
  await db.experimentStep.create({ data: { ...step, number: 1, replicas: [mark] } });
  // Paused, and to a cluster that doesn't exist: a controller that runs beside a test must not move anything.
  const ends = { fromClusterId: cluster.id, fromClusterName: mark, toClusterId: newId("cluster"), toClusterName: mark };
  const before = { clusterId: cluster.id, workload: exposure.workload, placements: [] };
  await db.move.create({
    data: {
      ...{ ...ends, id: ids.move, organizationId, exposureId: exposure.id, steps: [5, 100], watchSeconds: 60, before },
      ...{ gates: moveGates.parse({}), state: "paused", startedBy: mark, startedAt: now },
    },
  });
  await db.ssoProvider.create({
    data: {
      id: ids.identityProvider,
      organizationId,
      providerId: mark,
      name: mark,
      issuer: mark,
      domain: mark,
      clientId: mark,
    },
  });
  const sample = await measure(owner, nodeId);
  await use(owner, loadBalancerId);
  return {
    owner,
    users,
    ids,
    marks: [mark, String(sample), String(converge)],
    snapshot: () => snapshot(db, organizationId),
  };
}

/**
 * use gives a load balancer some hours of life in this month, and records its attributes as metering does: it may be deleted soon.
 */
async function use({ db, now }: ServiceContext, loadBalancerId: string): Promise<void> {
  await refreshSubjects(db, now);
  const { id: subjectId } = await db.usageSubject.findUniqueOrThrow({ where: { loadBalancerId } });
  const was = { existsSeconds: 3_600, addressSeconds: 3_600, replicaSeconds: 0, machineSeconds: 0, measuredSeconds: 0 };
  const current = hourOf(now);
  const hours = new Set([1, 2].map((ago) => Math.max(current - ago, monthOf(current).from)));
  await db.usageHour.createMany({ data: [...hours].map((hour) => ({ subjectId, hour, ...was })) });
}

/** measure stores a sample with a value that no other fleet has. */
async function measure({ db, organizationId, now }: ServiceContext, subjectId: string): Promise<number> {
  const value = randomInt(1_000_000, 10_000_000) + 0.5;
  const at = new Date(now.getTime() - 60_000);
  await new Partitions().ensureFor(db, "raw", [at.getTime()]);
  const key = { organizationId, subjectId, metric: "load1", labels: "{}", agentId: null };
  const [id] = await new SeriesIds().resolve(db, [key]);
  await db.$executeRaw`INSERT INTO sample (series_id, at, value) VALUES (${id}::int4, ${at}, ${value})`;
  return value;
}

const whole = { depth: null, maxArrayLength: null, maxStringLength: null };

/** snapshot reads everything of an organisation. PostgreSQL may return rows in another order each time, so it sorts them. */
async function snapshot(db: ServiceContext["db"], organizationId: string): Promise<object> {
  const where = { organizationId };
  const tables = {
    organization: db.organization.findMany({ where: { id: organizationId } }),
    cluster: db.cluster.findMany({ where }),
    addressPool: db.addressPool.findMany({ where }),
    exposure: db.exposure.findMany({ where }),
    loadBalancer: db.loadBalancer.findMany({ where }),
    addressMapping: db.addressMapping.findMany({ where }),
    addressMappingChange: db.addressMappingChange.findMany({ where }),
    mapRead: db.mapRead.findMany({ where: { exposure: where } }),
    inventoryItem: db.inventoryItem.findMany({ where }),
    node: db.node.findMany({ where }),
    experiment: db.experiment.findMany({ where }),
    experimentStep: db.experimentStep.findMany({ where }),
    move: db.move.findMany({ where }),
    bgpTransition: db.bgpTransition.findMany({ where }),
    routeUpdate: db.routeUpdate.findMany({ where }),
    agent: db.agent.findMany({ where }),
    member: db.member.findMany({ where }),
    enrollmentToken: db.enrollmentToken.findMany({ where }),
    invitation: db.invitation.findMany({ where }),
    apiKey: db.apiKey.findMany({ where }),
    negotiatedPrice: db.negotiatedPrice.findMany({ where }),
    ownMachine: db.ownMachine.findMany({ where }),
    currencyRate: db.currencyRate.findMany({ where }),
    budget: db.budget.findMany({ where }),
    ssoProvider: db.ssoProvider.findMany({ where }),
    auditEntry: db.auditEntry.findMany({ where }),
    feedEntry: db.feedEntry.findMany({ where }),
  };
  const sorted: Record<string, unknown[]> = {};
  for (const [name, rows] of Object.entries(tables))
    sorted[name] = (await rows).map((row) => inspect(row, whole)).sort();
  return sorted;
}
