import { z } from "zod";
import { significant } from "../../numbers.ts";

/** CapacityFigure compares the demand with a limit of an option, with the source of the limit. */
export const capacityFigure = z
  .object({
    of: z.enum(["mbps", "new-connections", "active-connections", "requests", "latency"]),
    required: z.number(),
    limit: z.number(),
    basis: z
      .enum(["measured", "scaled", "published", "assumed"])
      .describe("scaled: measured on another machine, and calculated by the cores of this one."),
    source: z.string(),
  })
  .meta({ id: "CapacityFigure" });
export type CapacityFigure = z.infer<typeof capacityFigure>;

/** amount formats a figure with three significant digits, and thousands grouped as everywhere else. */
export function amount(value: number): string {
  return significant(value, 3);
}
