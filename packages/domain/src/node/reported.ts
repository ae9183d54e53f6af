import { z } from "zod";
import { toDigits } from "../numbers.ts";
import { type NodeDetail, nodeDetail } from "./node.ts";

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

/** The parts of a node that change each on their own; rest is all fields without a part. */
export const nodeParts = ["facts", "agents", "balancers", "announced", "roundTripsTo", "rest"] as const;
export type NodePart = (typeof nodeParts)[number];

/** The digests of a node's parts, without what agents report every few seconds. A page of another version lacks some. */
export const nodeDigests = z.partialRecord(z.enum(nodeParts), z.string().max(64));
export type NodeDigests = z.infer<typeof nodeDigests>;

const changedNode = z.object({
  reported: nodeReported,
  changed: z
    .object({ digests: nodeDigests, node: nodeDetail.partial() })
    .optional()
    .describe("The parts that changed, with their digests."),
});
type ChangedNode = z.infer<typeof changedNode>;

/** The node, or only what agents report, and the parts that the client doesn't have. */
export const nodeChanges = z.union([z.object({ digests: nodeDigests, node: nodeDetail }), changedNode]);
export type NodeChanges = z.infer<typeof nodeChanges>;

/** A page shows three digits. */
const digits = 4;
const round = (value: number | null) => (value === null ? null : toDigits(value, digits));

/** splitReported separates what agents report from the parts of a node. */
export function splitReported(node: NodeDetail): { reported: NodeReported; parts: Record<NodePart, unknown> } {
  const { lastReportAt, cpuUtilizationRatio, memoryUsedRatio, load1, ...others } = node;
  const { facts, agents, balancers, announced, roundTripsTo, ...rest } = others;
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
    parts: {
      ...{ facts, announced, roundTripsTo, rest },
      agents: agents.map(({ lastReportAt: _, corrections: __, droppedReports: ___, ...each }) => each),
      balancers: balancers.map(({ observedAt: _, replicas, ...each }) => ({
        ...each,
        replicas: replicas.map(({ liveConnections: __, ...replica }) => replica),
      })),
    },
  };
}

/** pickParts returns the fields of these parts. */
export function pickParts(
  { facts, agents, balancers, announced, roundTripsTo, ...rest }: NodeDetail,
  parts: readonly NodePart[],
): Partial<NodeDetail> {
  const fields: Record<NodePart, Partial<NodeDetail>> = {
    ...{ facts: { facts }, agents: { agents }, balancers: { balancers } },
    ...{ announced: { announced }, roundTripsTo: { roundTripsTo }, rest },
  };
  return Object.assign({}, ...parts.map((part) => fields[part]));
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

/** withChanges returns the node with the parts that changed, and with what its agents report now. */
export function withChanges(node: NodeDetail, { reported, changed }: ChangedNode): NodeDetail {
  return withReported(Object.assign({}, node, changed?.node), reported);
}
