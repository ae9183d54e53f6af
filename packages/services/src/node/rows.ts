import { viewSource } from "@fairlead/db";
import { agent, type Node, node, nodeDetail, nodeMessage } from "@fairlead/domain/node";
import type { z } from "zod";

/** The fields from which the message of a node is computed. */
const messageFacts = agent.pick({ configError: true, desiredRevision: true, observedRevision: true }).shape;
const nodeRow = node.omit({ message: true }).extend(messageFacts);

export type NodeRow = z.infer<typeof nodeRow>;

export const nodeSource = viewSource("node_view", nodeRow);
export const nodeDetailSource = viewSource("node_view", nodeRow.extend(nodeDetail.pick({ facts: true }).shape));

/** toNode adds the message without an age, so that it changes only with the state of the node. */
export function toNode(row: NodeRow): Node {
  const { configError: _, desiredRevision: __, observedRevision: ___, ...node } = row;
  return { ...node, message: nodeMessage(row) };
}
