import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput, manyOf } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { inventoryKinds } from "./inventory-kinds.ts";

/** An object of a Kubernetes cluster: a node, a workload, or an external Service that Fairlead did not create. */
export const inventoryItem = z
  .object({
    id: idOf("inventoryItem"),
    clusterId: idOf("cluster"),
    kind: z.enum(inventoryKinds),
    namespace: z.string().describe("Empty for a node."),
    name: z.string(),
    desired: z.int().describe("Desired number of pods of a workload; 1 for everything else."),
    ready: z.int().describe("Number of ready pods; for a service, 1 if it has an address."),
    addresses: z
      .array(z.string())
      .describe("Addresses of a node, or external addresses of a service. Host names are possible."),
    changedAt: z.date().describe("When a change was last seen."),
  })
  .meta({ id: "InventoryItem" });
export type InventoryItem = z.infer<typeof inventoryItem>;

/** SeenItem is an item as observed in its cluster. */
export type SeenItem = Pick<InventoryItem, "kind" | "namespace" | "name" | "desired" | "ready" | "addresses">;

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
