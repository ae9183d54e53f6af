import { z } from "zod";
import { listCosts } from "../meter/usage.ts";

export const costFormats = ["csv", "focus"] as const;
export type CostFormat = (typeof costFormats)[number];

export const exportSteps = ["day", "hour"] as const;
export type ExportStep = (typeof exportSteps)[number];

const { from, to, clusterId, exposureId, loadBalancerId, currency } = listCosts.shape;

/** The costs of each load balancer in each day or hour, as a file. */
export const exportCosts = z.strictObject({
  format: z
    .enum(costFormats)
    .default("csv")
    .describe(
      "csv: one line for each load balancer and step. focus: the columns of FOCUS 1.2, one line for each charge.",
    ),
  from,
  to,
  step: z.enum(exportSteps).default("day").describe("One line for each day, or for each hour of up to 31 days."),
  clusterId,
  exposureId,
  loadBalancerId,
  currency,
});
export type ExportCosts = z.infer<typeof exportCosts>;
