import type { Node } from "@fairlead/domain";

/** isStale says that a node's figures are from before: nobody has vouched for them lately. */
export function isStale(node: Pick<Node, "state">): boolean {
  return node.state === "silent" || node.state === "revoked";
}
