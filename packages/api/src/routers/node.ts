import { idOf, pageOf } from "@fairlead/domain";
import { listNodes, node, nodeChanges, nodeDetail, nodeDigests, updateNode } from "@fairlead/domain/node";
import * as services from "@fairlead/services";
import { byId, expectedGeneration, nothing } from "../input.ts";
import { procedure, router } from "../trpc.ts";

const tag = "Nodes";
const id = idOf("node");

export const nodeRouter = router({
  list: procedure
    .meta({ permission: "node:read", rest: { method: "GET", path: "/nodes", summary: "List nodes", tag } })
    .input(listNodes)
    .output(pageOf(node))
    .query(({ ctx, input }) => services.listNodes(ctx, input)),

  get: procedure
    .meta({
      permission: "node:read",
      rest: { method: "GET", path: "/nodes/{id}", summary: "Read a node with its facts and agents", tag },
    })
    .input(byId(id))
    .output(nodeDetail)
    .query(({ ctx, input }) => services.getNode(ctx, input.id)),

  /** For the dashboard, which reads it every few seconds. */
  getChanges: procedure
    .meta({ permission: "node:read" })
    .input(byId(id).extend({ known: nodeDigests.optional() }))
    .output(nodeChanges)
    .query(({ ctx, input }) => services.getNodeChanges(ctx, input.id, input.known)),

  update: procedure
    .meta({
      permission: "node:write",
      rest: {
        method: "PATCH",
        path: "/nodes/{id}",
        summary: "Change a node",
        tag,
        example: { settings: { sampleIntervalMs: 10_000 } },
      },
    })
    .input(updateNode.extend({ id, expectedGeneration }))
    .output(node)
    .mutation(({ ctx, input: { id, expectedGeneration, ...change } }) =>
      services.updateNode(ctx, id, change, expectedGeneration),
    ),

  delete: procedure
    .meta({
      permission: "node:write",
      rest: { method: "DELETE", path: "/nodes/{id}", summary: "Delete a node", tag, status: 204 },
    })
    .input(byId(id).extend({ expectedGeneration }))
    .output(nothing)
    .mutation(({ ctx, input }) => services.deleteNode(ctx, input.id, input.expectedGeneration)),
});
