import { z } from "zod";
import { idOf } from "../id.ts";
import { listInput } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { volatile } from "../volatile.ts";

/** One running copy of a workload, such as a pod. Backends are created from instances. */
export const instance = z
  .object({
    id: idOf("instance"),
    clusterId: idOf("cluster"),
    name: z.string(),
    workload: z.string(),
    nodeName: z.string().describe("Empty without the permission map:read."),
    address: z.string().nullable().describe("The first of its addresses; null without the permission map:read."),
    addresses: z
      .array(z.string())
      .describe(
        "One address for each family of its network, the preferred one first; empty without the permission map:read.",
      ),
    ready: z.boolean(),
    labels: z.record(z.string(), z.string()),
    weight: z.int().describe("Its share of new connections, relative to the other instances of its workload."),
    changedAt: z.date().describe("When a change was last seen."),
    observedAt: volatile(z.date()),
  })
  .meta({ id: "Instance" });
export type Instance = z.infer<typeof instance>;

export const listInstances = listInput(
  ["name", "workload", "nodeName", "address", "changedAt"],
  { clusterId: idOf("cluster"), workload: plainText(253).optional() },
  { sort: "name", direction: "asc" },
);
export type ListInstances = z.infer<typeof listInstances>;

/** ReportedInstance is an instance in an agent's inventory. */
export type ReportedInstance = Pick<
  Instance,
  "name" | "workload" | "nodeName" | "addresses" | "ready" | "labels" | "weight"
>;

/** Agents reject larger weights. */
export const mostWeight = 256;
