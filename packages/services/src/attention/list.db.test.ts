import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type Actor, permissions } from "@fairlead/domain/access";
import {
  type AttentionKind,
  attentionKindNames,
  attentionKinds,
  attentionList,
  listAttention as input,
} from "@fairlead/domain/attention";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { createTestCluster, createTestExposure, createTestNode, createTestOrganization } from "../testing/index.ts";
import { finders } from "./finders.ts";
import { listAttention } from "./index.ts";
import { accessProblems } from "./testing/access-problems.ts";
import { budgetProblems } from "./testing/budget-problems.ts";
import { clusterProblems } from "./testing/cluster-problems.ts";
import { exposureProblems } from "./testing/exposure-problems.ts";
import { fleetProblems } from "./testing/fleet-problems.ts";
import { priceProblems } from "./testing/price-problems.ts";
import { after, type CreateProblem } from "./testing/problem.ts";

const problems: Record<AttentionKind, CreateProblem> = {
  ...exposureProblems,
  ...fleetProblems,
  ...clusterProblems,
  ...accessProblems,
  ...budgetProblems,
  ...priceProblems,
};

let database: TestDatabase;
/** It decides about prices. */
let first: ServiceContext;
beforeAll(async () => {
  database = await createTestDatabase();
  first = await createTestOrganization(database.db);
});
afterAll(() => database.drop());

const list = (ctx: ServiceContext, now: Date, filter: object = {}) =>
  listAttention({ ...ctx, now }, input.parse(filter));
const kindsAt = async (ctx: ServiceContext, now: Date) => (await list(ctx, now)).items.map(({ kind }) => kind);

it("has a query for each kind, and each kind in one", () => {
  expect(finders.flatMap(({ kinds }) => kinds).toSorted()).toEqual(attentionKindNames.toSorted());
});

it("is empty for a new organisation, and while all is well", async () => {
  const ctx = await createTestOrganization(database.db, "viewer");
  const empty = { at: ctx.now, total: 0, counts: [], items: [] };
  expect(await list(ctx, ctx.now)).toEqual(empty);
  const owner = { ...ctx, actor: first.actor };
  const { cluster } = await createTestCluster(owner);
  await createTestNode(owner, cluster.id);
  expect((await list(owner, new Date())).items).toEqual([]);
});

describe.each(attentionKindNames)("%s", (kind) => {
  const facts = attentionKinds[kind];

  it("is listed after a minute, until it is fixed, and never in another organisation", async () => {
    const ctx = facts.subject === "price-refresh" ? first : await createTestOrganization(database.db);
    const other = await createTestOrganization(database.db);
    const { began, fix } = await problems[kind](ctx);
    expect(await kindsAt(ctx, after(began, 59_000))).toEqual([]);
    const late = after(began, 61_000);
    const found = await list(ctx, late);
    expect(attentionList.parse(found)).toEqual(found);
    expect(found).toMatchObject({ total: 1, counts: [{ kind, severity: facts.severity, count: 1 }] });
    expect(found.items).toMatchObject([
      {
        kind,
        severity: facts.severity,
        subjectKind: facts.subject,
        since: began,
        action: { label: facts.action.label },
      },
    ]);
    const [item] = found.items;
    expect(item?.message).toMatch(/^[A-Z0-9].*\.$/);
    expect(item?.subjectName).not.toBe("");
    expect(`${item?.action?.path} ${item?.id}`).not.toMatch(/undefined|null/);
    expect(await kindsAt(other, late)).toEqual([]);
    await fix();
    expect(await kindsAt(ctx, late)).toEqual([]);
  });

  it("is only listed for those who may read its object", async () => {
    const ctx = facts.subject === "price-refresh" ? first : await createTestOrganization(database.db);
    const { began, fix } = await problems[kind](ctx);
    const key = (...denied: string[]): Actor => ({
      ...{ kind: "api-key", id: "key_1", name: "k", role: "owner" },
      scopes: permissions.filter((each) => each === "cluster:read" || !denied.includes(each)),
    });
    const listed = (actor: Actor) => list({ ...ctx, actor }, after(began, 61_000));
    expect((await listed(key())).total).toBe(1);
    expect((await listed(key(facts.permission))).total).toBe(facts.permission === "cluster:read" ? 1 : 0);
    if (facts.action.permission !== facts.permission && facts.action.permission !== "cluster:read")
      expect((await listed(key(facts.action.permission))).items).toMatchObject([{ kind, action: null }]);
    await fix();
  });
});

it("sorts problems before warnings, the newest first, and limits each kind but counts all", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  const hoursAgo = (hours: number) => after(ctx.now, -hours * 3_600_000);
  for (const [name, hours] of [
    ["a", 3],
    ["b", 1],
    ["c", 2],
  ] as const)
    await createTestNode(ctx, cluster.id, { name, lastReportAt: hoursAgo(hours) });
  const refusing = await createTestNode(ctx, cluster.id, { name: "d", configError: "no such role" });
  const compiledAt = hoursAgo(0.5);
  await database.db.nodeConfig.update({ where: { agentId: refusing.agentId }, data: { compiledAt } });
  const found = await list(ctx, ctx.now, { limit: 2 });
  expect(found.items.map(({ kind, subjectName, since }) => [kind, subjectName, since])).toEqual([
    ["node-silent", "b", hoursAgo(1)],
    ["node-silent", "c", hoursAgo(2)],
    ["config-refused", "d", compiledAt],
  ]);
  expect(found.total).toBe(4);
  expect(found.counts.map(({ kind, count }) => [kind, count])).toEqual([
    ["node-silent", 3],
    ["config-refused", 1],
  ]);
});

it("filters by cluster and by kind", async () => {
  const ctx = await createTestOrganization(database.db);
  const { cluster } = await createTestCluster(ctx);
  const { cluster: elsewhere } = await createTestCluster(ctx);
  const lastReportAt = after(ctx.now, -3_600_000);
  await createTestNode(ctx, cluster.id, { name: "here", lastReportAt });
  await createTestNode(ctx, elsewhere.id, { name: "there", lastReportAt });
  await problems["api-key-expiring"](ctx);
  const late = after(ctx.now, 89 * 24 * 3_600_000);
  const of = async (filter: object) => (await list(ctx, late, filter)).items.map(({ subjectName }) => subjectName);
  expect((await of({ kind: ["node-silent"] })).toSorted()).toEqual(["here", "there"]);
  expect(await of({ clusterId: cluster.id, kind: ["node-silent", "api-key-expiring"] })).toEqual(["here"]);
});

it("hides addresses of exposures from those who may not read the map", async () => {
  const ctx = await createTestOrganization(database.db);
  const { began } = await problems["exposure-failed"](ctx);
  const viewer = { kind: "user", id: "u", name: "U", role: "viewer" } as const;
  const messages = async (actor: Actor) =>
    (await list({ ...ctx, actor }, after(began, 61_000))).items.map(({ message }) => message);
  expect(await messages(viewer)).toEqual(["See 10.0.0.7."]);
  expect(await messages({ ...viewer, denied: ["map:read"] })).toEqual(["See [address]."]);
});

it("lists an exposure that no controller has reconciled", async () => {
  const ctx = await createTestOrganization(database.db);
  const { exposure } = await createTestExposure(ctx);
  expect((await list(ctx, after(exposure.createdAt, 61_000))).items).toMatchObject([
    { kind: "exposure-pending", message: "Not applied yet: no controller has reconciled it. Check that one runs." },
  ]);
});

describe("a BGP session", () => {
  it("counts from its loss, and not while its agent has just restarted or is silent", async () => {
    const ctx = await createTestOrganization(database.db);
    await problems["bgp-session-down"](ctx);
    const session = await database.db.bgpSession.findFirstOrThrow({ where: { organizationId: ctx.organizationId } });
    const { organizationId, clusterId, agentId } = session;
    const { nodeId } = await database.db.agent.findUniqueOrThrow({ where: { id: agentId } });
    const lostAt = after(ctx.now, 100_000);
    const reported = { organizationId, clusterId, agentId, nodeName: "node-1" };
    const lost = { kind: "session", about: "10.0.0.254", fromState: "established", toState: "idle", at: lostAt };
    await database.db.bgpTransition.create({ data: { id: "btr_lost", ...reported, ...lost } });
    expect(await kindsAt(ctx, after(lostAt, 59_000))).toEqual([]);
    expect((await list(ctx, after(lostAt, 61_000))).items).toMatchObject([
      {
        since: lostAt,
        subjectId: nodeId,
        message: "No session with 10.0.0.254 of AS 65021: the hold timer expired.",
      },
    ]);
    const event = {
      severity: "info",
      reason: "AgentRestarted",
      message: "",
      subjectKind: "node",
      subjectName: "node-1",
    };
    const restartedAt = after(lostAt, 50_000);
    await database.db.event.create({
      data: { id: "evt_restarted", organizationId, clusterId, at: restartedAt, subjectId: nodeId, ...event },
    });
    expect(await kindsAt(ctx, after(lostAt, 61_000))).toEqual([]);
    expect(await kindsAt(ctx, after(restartedAt, 61_000))).toEqual(["bgp-session-down"]);
    const observedAt = after(ctx.now, -60_000);
    await database.db.bgpSession.update({ where: { id: session.id }, data: { observedAt } });
    expect(await kindsAt(ctx, after(restartedAt, 61_000))).toEqual([]);
  });
});
