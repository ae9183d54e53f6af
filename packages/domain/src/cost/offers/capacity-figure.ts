import { z } from "zod";

/** CapacityFigure is a limit that an option was held against, and where that is known from. */
export const capacityFigure = z
  .object({
    of: z.enum(["mbps", "new-connections", "active-connections", "requests", "latency"]),
    asked: z.number(),
    most: z.number(),
    basis: z
      .enum(["measured", "scaled", "published", "assumed"])
      .describe("Scaled is what was measured on another machine, and reckoned by the cores of this one."),
    source: z.string(),
  })
  .meta({ id: "CapacityFigure" });
export type CapacityFigure = z.infer<typeof capacityFigure>;

/** amount writes a figure as short as it can be read, and so that no line ends within it. */
export function amount(value: number): string {
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString("en-US").replaceAll(",", "\u00a0");
}
