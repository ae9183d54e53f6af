import { z } from "zod";
import { workload } from "../exposure/workload.ts";
import { idOf } from "../id.ts";
import { instance } from "./instance.ts";

export const matchInstances = z.strictObject({ clusterId: idOf("cluster"), workload });
export type MatchInstances = z.infer<typeof matchInstances>;

/** The instances that an exposure of a workload would have as backends. */
export const matchedInstances = z
  .object({
    total: z.int(),
    readyCount: z.int(),
    items: z.array(instance).describe("The first ten by name; the list of instances has all."),
  })
  .meta({ id: "MatchedInstances" });
export type MatchedInstances = z.infer<typeof matchedInstances>;
