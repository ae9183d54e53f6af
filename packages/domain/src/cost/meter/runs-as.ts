import { z } from "zod";
import { plainText } from "../../plain-text.ts";
import { provider } from "../prices/price-point.ts";

/** RunsAs is how a cluster's balancers are billed: its provider and region, and its machines. */
export const runsAs = z
  .strictObject({
    provider,
    region: plainText(63)
      .min(1, "enter a region that has prices, or any if they are the same everywhere")
      .describe("The region, by its provider's name."),
    machine: plainText(63)
      .min(1, "enter a size that has a price, such as c7g.large, or leave it out")
      .nullable()
      .default(null)
      .describe(
        "The size of the machines that our balancers run on; for own machines, the name in the price book. null if not set.",
      ),
    machineShare: z
      .number()
      .gt(0, "enter a share above 0, up to 1")
      .max(1, "enter a share above 0, up to 1")
      .default(1)
      .describe("The share of each of these machines that is used by balancers."),
    zones: z.int().min(1).max(16).default(1).describe("Availability zones that a bought balancer is in."),
    responseShare: z
      .number()
      .min(0, "enter a share from 0 to 0.999")
      .max(0.999, "enter a share from 0 to 0.999")
      .nullable()
      .default(null)
      .describe(
        "The share of traffic to clients. Used if that isn't measured; without it, charges for this traffic stay unknown.",
      ),
    internetShare: z
      .number()
      .min(0, "enter a share from 0 to 1")
      .max(1, "enter a share from 0 to 1")
      .default(0)
      .describe(
        "The share of traffic to clients, through the balancer, that goes to the internet and is billed as such.",
      ),
  })
  .meta({ id: "RunsAs" });
export type RunsAs = z.infer<typeof runsAs>;
