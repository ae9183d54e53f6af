import { z } from "zod";
import { plainText } from "../../plain-text.ts";
import { provider } from "../prices/price-point.ts";

/** RunsAs says as what a cluster's balancers are paid: where it runs, and on which machines. */
export const runsAs = z
  .strictObject({
    provider,
    region: plainText(63)
      .min(1, "name a region that has prices, or any where they are the same everywhere")
      .describe("As the provider names it."),
    machine: plainText(63)
      .min(1, "name a size that has a price, such as c7g.large, or leave it out")
      .nullable()
      .default(null)
      .describe(
        "The size of the machines that balancers of ours run on, or of one's own the name in the price book; null where nobody says.",
      ),
    machineShare: z
      .number()
      .gt(0, "give a share above 0, up to 1")
      .max(1, "give a share above 0, up to 1")
      .default(1)
      .describe("How much of each of these machines is there for balancers."),
    zones: z.int().min(1).max(16).default(1).describe("Availability zones that a bought balancer is in."),
    responseShare: z
      .number()
      .min(0, "give a share from 0 to 0.999")
      .max(0.999, "give a share from 0 to 0.999")
      .nullable()
      .default(null)
      .describe(
        "How much of the traffic goes out to clients. It counts where that is not measured, and what is paid by it stays unknown without.",
      ),
    internetShare: z
      .number()
      .min(0, "give a share from 0 to 1")
      .max(1, "give a share from 0 to 1")
      .default(0)
      .describe(
        "How much of what goes out to clients, through the balancer, goes to the internet and is paid for as that.",
      ),
  })
  .meta({ id: "RunsAs" });
export type RunsAs = z.infer<typeof runsAs>;
