import { createHash } from "node:crypto";
import {
  type NodeChanges,
  type NodeDigests,
  type NodePart,
  nodeParts,
  pickParts,
  splitReported,
} from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";
import { getNode } from "./get.ts";

/**
 * getNodeChanges returns a node with digests of its parts. A client that has parts of these digests doesn't get them
 * again, but always what agents report every few seconds.
 */
export async function getNodeChanges(ctx: ServiceContext, id: string, known?: NodeDigests): Promise<NodeChanges> {
  const node = await getNode(ctx, id);
  const { reported, parts } = splitReported(node);
  const digestsOf = <P extends NodePart>(of: readonly P[]) =>
    Object.fromEntries(of.map((part) => [part, digestOf(parts[part])])) as Record<P, string>;
  const digests = digestsOf(nodeParts);
  if (!known) return { digests, node };
  const changed = nodeParts.filter((part) => digests[part] !== known[part]);
  if (changed.length === 0) return { reported };
  return { reported, changed: { digests: digestsOf(changed), node: pickParts(node, changed) } };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
