import { newId } from "@fairlead/domain";
import type { AttentionKind } from "@fairlead/domain/attention";
import type { ServiceContext } from "../../context.ts";
import { createTestCluster, createTestNode, type TestNode } from "../../testing/index.ts";
import { after, type CreateProblem, dayMs } from "./problem.ts";

type NodeOptions = Parameters<typeof createTestNode>[2];

const createNode = async (ctx: ServiceContext, options: NodeOptions = {}): Promise<TestNode> =>
  createTestNode(ctx, (await createTestCluster(ctx)).cluster.id, { lastReportAt: ctx.now, ...options });

/** A node with a changed status, which its next report corrects. */
function node(options: NodeOptions, change: { observedRevision?: number; configError?: string } = {}): CreateProblem {
  return async (ctx) => {
    const { agentId } = await createNode(ctx, options);
    await ctx.db.nodeStatus.updateMany({ where: { agentId }, data: change });
    const data = { observedRevision: 1, configError: "" };
    return { began: ctx.now, fix: () => ctx.db.nodeStatus.updateMany({ where: { agentId }, data }) };
  };
}

/** A certificate that expires so long after now, until it is renewed. */
function certificate(expiresInMs: number, noticedMs: number): CreateProblem {
  return async (ctx) => {
    const { agentId } = await createNode(ctx);
    const expireIn = (ms: number) =>
      ctx.db.agent.update({ where: { id: agentId }, data: { certificateExpiresAt: after(ctx.now, ms) } });
    await expireIn(expiresInMs);
    return { began: after(ctx.now, noticedMs), fix: () => expireIn(30 * dayMs) };
  };
}

const silent: CreateProblem = async (ctx) => {
  // The database decides by its own clock that a node is silent, so the last report is already older than that.
  const began = after(ctx.now, -30_000);
  const { agentId } = await createNode(ctx, { lastReportAt: began });
  const data = { lastReportAt: new Date() };
  return { began, fix: () => ctx.db.nodeStatus.update({ where: { agentId }, data }) };
};

const neverReported: CreateProblem = async (ctx) => {
  const { nodeId, agentId } = await createNode(ctx, { lastReportAt: null });
  const { enrolledAt } = await ctx.db.agent.findUniqueOrThrow({ where: { id: agentId } });
  const status = { agentId, nodeId, bootId: "b", sequence: 1, observedRevision: 1, lastReportAt: new Date() };
  return { began: enrolledAt, fix: () => ctx.db.nodeStatus.create({ data: status }) };
};

const sessionDown: CreateProblem = async (ctx) => {
  const { cluster } = await createTestCluster(ctx);
  const { agentId } = await createTestNode(ctx, cluster.id, { roles: ["speaker"] });
  const id = newId("bgpSession", ctx.now);
  // Between attempts, stateSince is that of the last attempt.
  const session = { state: "active", stateSince: after(ctx.now, 50_000), lastError: "the hold timer expired" };
  await ctx.db.bgpSession.create({
    data: {
      ...{ id, organizationId: ctx.organizationId, clusterId: cluster.id, agentId, observedAt: ctx.now },
      ...{ peerAddress: "10.0.0.254", peerAsn: 65_021, localAsn: 65_021, ...session },
    },
  });
  return { began: ctx.now, fix: () => ctx.db.bgpSession.update({ where: { id }, data: { state: "established" } }) };
};

export const fleetProblems = {
  "node-silent": silent,
  "node-never-reported": neverReported,
  "node-out-of-sync": node({}, { observedRevision: 0 }),
  "config-refused": node({}, { configError: "no such interface" }),
  "certificate-expired": certificate(0, 0),
  "certificate-expiring": certificate(7 * dayMs, 0),
  "bgp-session-down": sessionDown,
} satisfies Partial<Record<AttentionKind, CreateProblem>>;
