import { createTestDatabase, type TestDatabase } from "@fairlead/db/testing";
import { type NodeDetail, type NodeDigests, nodeParts, pickParts, withChanges } from "@fairlead/domain/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../context.ts";
import { appendFeed } from "../control/append-feed.sql.ts";
import { createTestCluster, createTestNode, createTestOrganization, type TestNode } from "../testing/index.ts";
import { getNode, getNodeChanges, updateNode } from "./index.ts";

let database: TestDatabase;
let ctx: ServiceContext;
let clusterId: string;
let node: TestNode;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createTestOrganization(database.db);
  clusterId = (await createTestCluster(ctx)).cluster.id;
  node = await createTestNode(ctx, clusterId, { lastReportAt: ctx.now });
});

describe("the changes of a node", () => {
  let first: { digests: NodeDigests; node: NodeDetail };
  beforeEach(async () => {
    const all = await getNodeChanges(ctx, node.nodeId);
    if (!("node" in all)) throw new Error("no whole node");
    first = { digests: all.digests, node: all.node };
  });

  it("are the whole node for a client that has none", async () => {
    expect(first.node).toEqual(await getNode(ctx, node.nodeId));
  });

  it("are only what agents report, if the client has the rest", async () => {
    const lastReportAt = new Date(ctx.now.getTime() + 1_000);
    await database.db.nodeStatus.updateMany({ where: { agentId: node.agentId }, data: { lastReportAt } });
    const changes = await getNodeChanges(ctx, node.nodeId, first.digests);
    if (!("reported" in changes) || changes.changed) throw new Error("more than that");
    expect(withChanges(first.node, changes)).toEqual(await getNode(ctx, node.nodeId));
    expect(changes.reported.lastReportAt).toEqual(lastReportAt);
  });

  it.each(nodeParts)("have the part %s with its digest when only that changed", async (part) => {
    const known = { ...first.digests, [part]: "of another state" };
    const changes = await getNodeChanges(ctx, node.nodeId, known);
    if (!("reported" in changes && changes.changed)) throw new Error("no change");
    expect(changes.changed.digests).toEqual({ [part]: first.digests[part] });
    expect(changes.changed.node).toEqual(pickParts(first.node, [part]));
  });

  it("are the parts of which a page of another version has no digest", async () => {
    const { facts, rest } = first.digests;
    const changes = await getNodeChanges(ctx, node.nodeId, { ...(facts && { facts }), ...(rest && { rest }) });
    if (!("reported" in changes && changes.changed)) throw new Error("no change");
    expect(Object.keys(changes.changed.digests)).toEqual(["agents", "balancers", "announced", "roundTripsTo"]);
    expect(withChanges(first.node, changes)).toEqual(await getNode(ctx, node.nodeId));
  });

  it("are the fields of the node itself when it was renamed, which make the node whole again", async () => {
    await updateNode(ctx, node.nodeId, { name: "renamed" });
    const changes = await getNodeChanges(ctx, node.nodeId, first.digests);
    if (!("reported" in changes && changes.changed)) throw new Error("no change");
    const { digests, node: changed } = changes.changed;
    expect(Object.keys(digests)).toEqual(["rest"]);
    expect(changed).toMatchObject({ name: "renamed" });
    expect(withChanges(first.node, changes)).toEqual(await getNode(ctx, node.nodeId));
    const known = { ...first.digests, ...digests };
    expect(await getNodeChanges(ctx, node.nodeId, known)).toEqual({ reported: changes.reported });
  });
});

describe("a change of an agent in the feed", () => {
  const feed = async () => {
    const rows = await database.db.feedEntry.findMany({
      where: { organizationId: ctx.organizationId },
      orderBy: { id: "asc" },
      select: { subjectKind: true, subjectId: true, clusterId: true },
    });
    await database.db.feedEntry.deleteMany({ where: { organizationId: ctx.organizationId } });
    return rows;
  };

  it("is followed by its node, once", async () => {
    await feed();
    const ofAgent = { subjectKind: "agent", subjectId: node.agentId, clusterId } as const;
    const ofNode = { subjectKind: "node", subjectId: node.nodeId, clusterId } as const;
    await appendFeed(database.db, ctx.organizationId, [ofAgent]);
    expect(await feed()).toEqual([ofAgent, ofNode]);
    await appendFeed(database.db, ctx.organizationId, [ofNode, ofAgent]);
    expect(await feed()).toEqual([ofNode, ofAgent]);
  });

  it("of another organisation has no node", async () => {
    const other = await createTestOrganization(database.db);
    await appendFeed(database.db, other.organizationId, [{ subjectKind: "agent", subjectId: node.agentId, clusterId }]);
    expect(
      await database.db.feedEntry.findMany({ where: { organizationId: other.organizationId, subjectKind: "node" } }),
    ).toEqual([]);
  });
});
