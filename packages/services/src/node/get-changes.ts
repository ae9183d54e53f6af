import { createHash } from "node:crypto";
import { type NodeChanges, type NodeDigests, splitReported } from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";
import { getNode } from "./get.ts";

/**
 * getNodeChanges returns a node with digests of its parts. A client that has parts of these digests doesn't get them
 * again, but always what agents report every few seconds.
 */
export async function getNodeChanges(ctx: ServiceContext, id: string, known?: NodeDigests): Promise<NodeChanges> {
  const node = await getNode(ctx, id);
  const { reported, facts, rest } = splitReported(node);
  const digests = { facts: digestOf(facts), rest: digestOf(rest) };
  if (digests.facts !== known?.facts) return { digests, node };
  if (digests.rest === known.rest) return { reported };
  const { facts: _, ...withoutFacts } = node;
  return { digests, node: withoutFacts };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
