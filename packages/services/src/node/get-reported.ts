import { createHash } from "node:crypto";
import { type NodeReported, splitReported } from "@fairlead/domain/node";
import type { ServiceContext } from "../context.ts";
import { getNode } from "./get.ts";

/** getNodeReported returns what the agents of a node report every few seconds, and a digest of the rest of the node. */
export async function getNodeReported(ctx: ServiceContext, id: string): Promise<NodeReported> {
  const { reported, rest } = splitReported(await getNode(ctx, id));
  const restDigest = createHash("sha256").update(JSON.stringify(rest)).digest("base64url").slice(0, 16);
  return { ...reported, restDigest };
}
