import { z } from "zod";
import { agent, type NodeDetail, nodeBalancer, nodeDetail } from "./node.ts";

const replica = nodeBalancer.shape.replicas.element;

/** What agents report every few seconds about a node. A page that shows the node reads it instead of the whole node. */
export const nodeReported = nodeDetail
  .pick({ lastReportAt: true, cpuUtilizationRatio: true, memoryUsedRatio: true, load1: true })
  .extend({
    /** Changes with the rest of the node, which then must be read again. */
    restDigest: z.string(),
    agents: z.array(agent.pick({ id: true, lastReportAt: true, corrections: true, droppedReports: true })),
    balancers: z.array(
      nodeBalancer
        .pick({ agentId: true, observedAt: true })
        .extend({ replicas: z.array(replica.pick({ loadBalancerId: true, liveConnections: true })) }),
    ),
  });
export type NodeReported = z.infer<typeof nodeReported>;

/** splitReported separates what agents report from the rest of a node. */
export function splitReported(node: NodeDetail): { reported: Omit<NodeReported, "restDigest">; rest: unknown } {
  const { lastReportAt, cpuUtilizationRatio, memoryUsedRatio, load1, agents, balancers, ...rest } = node;
  return {
    reported: {
      lastReportAt,
      cpuUtilizationRatio,
      memoryUsedRatio,
      load1,
      agents: agents.map(({ id, lastReportAt, corrections, droppedReports }) => {
        return { id, lastReportAt, corrections, droppedReports };
      }),
      balancers: balancers.map(({ agentId, observedAt, replicas }) => ({
        agentId,
        observedAt,
        replicas: replicas.map(({ loadBalancerId, liveConnections }) => ({ loadBalancerId, liveConnections })),
      })),
    },
    rest: {
      ...rest,
      agents: agents.map(({ lastReportAt: _, corrections: __, droppedReports: ___, ...each }) => each),
      balancers: balancers.map(({ observedAt: _, replicas, ...each }) => ({
        ...each,
        replicas: replicas.map(({ liveConnections: __, ...replica }) => replica),
      })),
    },
  };
}

/** withReported returns the node with what its agents report now. */
export function withReported(node: NodeDetail, { restDigest: _, ...reported }: NodeReported): NodeDetail {
  const agents = new Map(reported.agents.map((each) => [each.id, each]));
  const balancers = new Map(reported.balancers.map((each) => [each.agentId, each]));
  return {
    ...node,
    ...reported,
    agents: node.agents.map((each) => ({ ...each, ...agents.get(each.id) })),
    balancers: node.balancers.map((each) => {
      const { observedAt = each.observedAt, replicas = [] } = balancers.get(each.agentId) ?? {};
      const now = new Map(replicas.map((replica) => [replica.loadBalancerId, replica]));
      return {
        ...each,
        observedAt,
        replicas: each.replicas.map((replica) => ({ ...replica, ...now.get(replica.loadBalancerId) })),
      };
    }),
  };
}
