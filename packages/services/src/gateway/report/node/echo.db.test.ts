import { inTransaction, type Tx } from "@fairlead/db";
import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { newId } from "@fairlead/domain";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ServiceContext } from "../../../context.ts";
import { createTestCluster, createTestNode, createTestOrganization } from "../../../testing/index.ts";
import { type EchoWrite, findMoved, selectEchoPeers, selectNeighbours, writeEchoes } from "./echo.sql.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
});

const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(database.db, work);

async function addNodes(count: number): Promise<EchoWrite[]> {
  const echoes: EchoWrite[] = [];
  for (let i = 1; i <= count; i++) {
    const { agentId, nodeId } = await createTestNode(ctx, clusterId, { name: `node-${i}` });
    echoes.push({ agentId, nodeId, clusterId, address: `10.0.0.${i}:7445` });
  }
  await within((tx) => writeEchoes(tx, echoes));
  return echoes;
}

const neighboursOf = ({ nodeId }: EchoWrite) => within((tx) => selectNeighbours(tx, { nodeId, clusterId }));

it.each([
  [1, 0],
  [2, 1],
  [33, 32],
  [40, 32],
])("of %i nodes, each measures %i others, and those measure it", async (count, peers) => {
  const echoes = await addNodes(count);
  const pairs = new Set<string>();
  for (const echo of echoes) {
    const neighbours = await neighboursOf(echo);
    expect(neighbours).toHaveLength(peers);
    for (const { nodeId } of neighbours) pairs.add(`${echo.nodeId} ${nodeId}`);
  }
  expect(pairs.size).toBe(count * peers);
  for (const pair of pairs) expect(pairs).toContain(pair.split(" ").reverse().join(" "));
  expect([...pairs].some((pair) => new Set(pair.split(" ")).size === 1)).toBe(false);
});

it("nodes that are down leave their places to others", async () => {
  const echoes = await addNodes(45);
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const fellSilent = async (nodes: EchoWrite[], lastReportAt: Date) => {
    const agentId = { in: nodes.map((each) => each.agentId) };
    await database.db.nodeStatus.updateMany({ where: { agentId }, data: { lastReportAt } });
  };
  const [down, restarting, up] = [echoes.slice(0, 10), echoes.slice(10, 12), echoes.slice(12)];
  await fellSilent(down, minutesAgo(11));
  await fellSilent(restarting, minutesAgo(9));
  const isDown = new Set(down.map((each) => each.nodeId));
  for (const echo of [...restarting, ...up]) {
    const neighbours = await neighboursOf(echo);
    expect(neighbours).toHaveLength(32);
    expect(neighbours.filter(({ nodeId }) => isDown.has(nodeId))).toEqual([]);
  }
});

it("stores only news, and of two agents of a node that of the newer one", async () => {
  const [echo, other] = await addNodes(2);
  if (!echo || !other) throw new Error("two nodes were added");
  const moved = (...reported: EchoWrite[]) => within((tx) => findMoved(tx, reported));
  expect(await moved(echo, other)).toEqual([]);
  const elsewhere = { ...echo, address: "10.0.1.1:7445" };
  expect(await moved(elsewhere, other)).toEqual([elsewhere]);

  const certificate = { certificateSerial: newId("agent"), certificateExpiresAt: new Date() };
  const newer = { ...echo, agentId: newId("agent", new Date(Date.now() + 1_000)), address: "10.0.2.1:7445" };
  const { organizationId } = ctx;
  await database.db.agent.create({
    data: { id: newer.agentId, organizationId, nodeId: echo.nodeId, roles: ["node"], ...certificate },
  });
  await database.db.nodeStatus.create({
    data: {
      agentId: newer.agentId,
      nodeId: echo.nodeId,
      bootId: "boot",
      sequence: 1,
      observedRevision: 0,
      lastReportAt: new Date(),
    },
  });
  expect(await moved(newer, elsewhere)).toEqual([newer]);
  expect(await moved({ ...newer, address: "" })).toEqual([]);
  await within((tx) => writeEchoes(tx, [newer]));
  expect(await moved(echo)).toEqual([]);
  expect(await neighboursOf(other)).toMatchObject([{ agentId: newer.agentId, address: newer.address }]);

  await database.db.agent.update({ where: { id: newer.agentId }, data: { revokedAt: new Date() } });
  expect(await within((tx) => selectEchoPeers(tx, { nodeId: echo.nodeId, clusterId }))).toEqual([]);
  expect(await moved(echo)).toEqual([echo]); // the older agent is the only one that is left
  await within((tx) => writeEchoes(tx, [echo]));
  expect(await neighboursOf(other)).toMatchObject([{ agentId: echo.agentId, address: echo.address }]);
  await database.db.agent.update({ where: { id: newer.agentId }, data: { revokedAt: null } });
  await within((tx) => writeEchoes(tx, [newer]));

  const gone = { ...newer, address: "" };
  expect(await moved(gone)).toEqual([gone]);
  await within((tx) => writeEchoes(tx, [gone]));
  expect(await neighboursOf(other)).toEqual([]);
});
