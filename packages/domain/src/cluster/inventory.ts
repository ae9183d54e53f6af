import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { inventoryKinds } from "./inventory-kinds.ts";

/** One thing that is in a Kubernetes cluster: a node, a workload, or a Service of somebody else that is reached from outside. */
export const inventoryItem = z
  .object({
    id: idOf("inventoryItem"),
    clusterId: idOf("cluster"),
    kind: z.enum(inventoryKinds),
    namespace: z.string().describe("Empty for a node."),
    name: z.string(),
    wanted: z.int().describe("How many pods a workload wants; 1 for everything else."),
    ready: z.int().describe("How many of them are ready; of a service, whether it has an address."),
    addresses: z.array(z.string()).describe("Where a node is, or where a service is reached; host names too."),
    changedAt: z.date().describe("When it was last seen to differ from before."),
  })
  .meta({ id: "InventoryItem" });
export type InventoryItem = z.infer<typeof inventoryItem>;

/** SeenItem is an item as whoever watches its cluster has it. */
export type SeenItem = Pick<InventoryItem, "kind" | "namespace" | "name" | "wanted" | "ready" | "addresses">;

export const listInventory = listInput(
  ["name", "namespace", "kind", "changedAt"],
  {
    clusterId: idOf("cluster"),
    kind: manyOf(z.enum(inventoryKinds)),
    namespace: plainText(63).optional(),
  },
  { sort: "name", direction: "asc" },
);
export type ListInventory = z.infer<typeof listInventory>;
