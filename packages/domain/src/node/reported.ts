import { z } from "zod";
import { toDigits } from "../numbers.ts";
import { type NodeDetail, type NodeFacts, nodeDetail } from "./node.ts";

const reportedAgent = z.tuple([z.date().nullable(), z.int(), z.int()]);
const reportedBalancer = z.tuple([z.date(), z.array(z.int())]);

/**
 * What agents report every few seconds about a node, in few bytes: agents, balancers and replicas are identified by their
 * position in the node.
 */
export const nodeReported = nodeDetail
  .pick({ lastReportAt: true, cpuUtilizationRatio: true, memoryUsedRatio: true, load1: true })
  .extend({
    agents: z.array(reportedAgent).describe("When it last reported, its corrections, and its dropped reports."),
    balancers: z.array(reportedBalancer).describe("When it was observed, and the connections of each replica."),
  });
export type NodeReported = z.infer<typeof nodeReported>;

/** The digests of a node without what agents report every few seconds: of its facts, and of the rest. */
export const nodeDigests = z.object({ facts: z.string().max(64), rest: z.string().max(64) });
export type NodeDigests = z.infer<typeof nodeDigests>;

/** The node, without its facts if the client has them, or only what agents report if the client has all else. */
export const nodeChanges = z.union([
  z.object({ digests: nodeDigests, node: nodeDetail }),
  z.object({ digests: nodeDigests, node: nodeDetail.omit({ facts: true }) }),
  z.object({ reported: nodeReported }),
]);
export type NodeChanges = z.infer<typeof nodeChanges>;

/** A page shows three digits. */
const digits = 4;
const round = (value: number | null) => (value === null ? null : toDigits(value, digits));

/** splitReported separates what agents report from the rest of a node. */
export function splitReported(node: NodeDetail): { reported: NodeReported; facts: NodeFacts | null; rest: unknown } {
  const { lastReportAt, cpuUtilizationRatio, memoryUsedRatio, load1, facts, agents, balancers, ...rest } = node;
  return {
    reported: {
      lastReportAt,
      cpuUtilizationRatio: round(cpuUtilizationRatio),
      memoryUsedRatio: round(memoryUsedRatio),
      load1: round(load1),
      agents: agents.map((each) => [each.lastReportAt, each.corrections, each.droppedReports]),
      balancers: balancers.map(({ observedAt, replicas }) => [
        observedAt,
        replicas.map(({ liveConnections }) => liveConnections),
      ]),
    },
    facts,
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
export function withReported(node: NodeDetail, reported: NodeReported): NodeDetail {
  return {
    ...node,
    ...reported,
    agents: node.agents.map((each, at) => {
      const [lastReportAt, corrections, droppedReports] = reported.agents[at] ?? [];
      if (lastReportAt === undefined) return each;
      return {
        ...each,
        lastReportAt,
        corrections: corrections ?? each.corrections,
        droppedReports: droppedReports ?? each.droppedReports,
      };
    }),
    balancers: node.balancers.map((each, at) => {
      const [observedAt = each.observedAt, connections = []] = reported.balancers[at] ?? [];
      const replicas = each.replicas.map((replica, position) => {
        return { ...replica, liveConnections: connections[position] ?? replica.liveConnections };
      });
      return { ...each, observedAt, replicas };
    }),
  };
}
