import { z } from "zod";
import { idOf } from "../../id.ts";
import { moment } from "../../moment.ts";
import { advice, costOption } from "../estimate/estimate.ts";
import { noBalancer } from "../estimate/no-balancer.ts";
import { priceDates } from "../prices/price-dates.ts";
import { confidence, provider } from "../prices/price-point.ts";
import { trafficProfile } from "../traffic/traffic-profile.ts";

export const usageSteps = ["all", "day", "hour"] as const;
export const usageGroups = ["organization", "cluster", "exposure", "loadBalancer"] as const;

const query = {
  clusterId: idOf("cluster").optional(),
  exposureId: idOf("exposure").optional(),
  loadBalancerId: idOf("loadBalancer").optional(),
  from: moment.optional().describe("Start, rounded to whole hours. Default: the start of this month, in UTC."),
  to: moment.optional().describe("End, exclusive, later than from. Default: the end of the last whole hour."),
  step: z.enum(usageSteps).default("all").describe("One sum for the whole time, or one for each day or hour."),
  limit: z.int().min(1).max(200).default(50).describe("Maximum number of groups, the largest first."),
};

export const listUsage = z.strictObject({ ...query, groupBy: z.enum(usageGroups).default("exposure") });
export type ListUsage = z.infer<typeof listUsage>;

export const listCosts = z.strictObject({
  ...query,
  groupBy: z
    .string()
    .max(80, "80 characters at most")
    .regex(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the rejected characters
      /^(organization|cluster|exposure|loadBalancer|label:[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+)$/,
      "use organization, cluster, exposure, loadBalancer, or label: and its name, such as label:team",
    )
    .default("exposure")
    .meta({ examples: ["exposure", "label:team"] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "enter a currency such as USD")
    .default("USD"),
});
export type ListCosts = z.infer<typeof listCosts>;

const group = {
  id: z
    .string()
    .nullable()
    .describe("The id of the group's object, or the label's value; null for those without the label."),
  name: z.string(),
  balancers: z.int().describe("Number of load balancers."),
  balancerHours: z.number(),
};
const span = { from: z.date(), to: z.date() };
const measuredShare = z
  .number()
  .min(0)
  .max(1)
  .describe("The share of its time in which its traffic was measured. Sums exclude the rest.");

const amounts = {
  balancerHours: z.number(),
  addressHours: z.number(),
  machineHours: z
    .number()
    .describe("Hours of the machines of its replicas, each shared equally by the balancers on it."),
  bytesIn: z.number().nullable().describe("From clients; null if not measured."),
  bytesOut: z
    .number()
    .nullable()
    .describe("To clients, through the balancer: 0 with direct server return; null if not measured."),
  bytesBoth: z
    .number()
    .nullable()
    .describe(
      "Both directions together, for balancers whose provider only counts the sum. Not included in bytesIn and bytesOut.",
    ),
  connectionsNew: z.number().nullable(),
  connectionHours: z.number().nullable().describe("Live connections times hours."),
  peakInBps: z.number().nullable().describe("The sum of each replica's peak from clients."),
  peakBothBps: z.number().nullable().describe("The peak of traffic counted in both directions."),
  measuredShare,
};

export const usageGroup = z
  .object({ ...group, ...amounts, points: z.array(z.object({ at: z.date(), ...amounts })) })
  .meta({ id: "Usage" });
export type UsageGroup = z.infer<typeof usageGroup>;
export type UsageAmounts = Omit<UsageGroup, "id" | "name" | "balancers" | "points">;

export const usageAnswer = z
  .object({
    ...span,
    items: z.array(usageGroup),
    total: z.int().describe("Number of groups."),
    waiting: z.int().describe("Number of hours of this time that are still to be metered."),
  })
  .meta({ id: "UsageAnswer" });
export type UsageAnswer = z.infer<typeof usageAnswer>;

export const recountUsage = z.strictObject({
  from: moment.describe("Start, rounded to whole hours."),
  to: moment.optional().describe("End, exclusive, later than from. Default: the end of the last whole hour."),
});
export type RecountUsage = z.infer<typeof recountUsage>;

export const usageRecount = z
  .object({ ...span, hours: z.int().describe("Number of hours that will be metered again within a few minutes.") })
  .meta({ id: "UsageRecount" });
export type UsageRecount = z.infer<typeof usageRecount>;

const hasPriceBook = z
  .boolean()
  .describe("Whether your organisation's price book was used. Without price-book:read, list prices are used instead.");

const cost = {
  micros: z
    .int()
    .describe("The known cost, in millionths of the currency. If knownShare is below 1, the real cost may be higher."),
  knownShare: z
    .number()
    .min(0)
    .max(1)
    .describe("The share of its time with a complete cost. The reasons explain what is missing, and what to do."),
};

export const costGroup = z
  .object({
    ...group,
    ...cost,
    instance: z.string().nullable().describe("The instance of the load balancers, if they belong to a single one."),
    reasons: z.array(
      z.object({
        reason: z.string(),
        balancers: z.int(),
        clusterId: idOf("cluster").describe("The cluster of these balancers."),
      }),
    ),
    breakdown: z.array(
      z
        .object({ item: z.string(), unit: z.string(), quantity: z.number(), micros: cost.micros })
        .meta({ id: "MeteredItem" }),
    ),
    points: z.array(z.object({ at: z.date(), ...cost })),
  })
  .meta({ id: "Cost" });
export type CostGroup = z.infer<typeof costGroup>;

export const costsAnswer = z
  .object({
    ...span,
    currency: z.string(),
    hasPriceBook,
    ...cost,
    balancers: group.balancers,
    balancerHours: group.balancerHours,
    points: costGroup.shape.points.describe("All groups together, for each step."),
    items: z.array(costGroup).describe("The most expensive first."),
    total: z.int().describe("Number of groups. The sums above include all of them."),
    prices: z
      .array(
        z.object({
          provider,
          sku: z.string(),
          region: z.string(),
          asOf: z.string().nullable(),
          source: z.string(),
          confidence,
        }),
      )
      .describe("The prices that were used."),
  })
  .meta({ id: "CostsAnswer" });
export type CostsAnswer = z.infer<typeof costsAnswer>;

export const compareCosts = z.strictObject({
  id: idOf("exposure"),
  days: z.int().min(1).max(31).default(7).describe("Number of past days of traffic to use."),
  currency: listCosts.shape.currency,
});
export type CompareCosts = z.infer<typeof compareCosts>;

/** CostComparison is what an exposure's measured traffic would cost with other options, next to its actual cost. */
export const costComparison = z
  .object({
    ...span,
    currency: z.string(),
    hasPriceBook,
    measuredShare,
    profile: trafficProfile.nullable().describe("The profile of the measured traffic; null if nothing was measured."),
    notes: z.array(z.string()).describe("Assumptions in the profile, or why there is none."),
    today: z
      .object({
        ...cost,
        monthlyMicros: cost.micros.describe("The cost of 730 hours at this rate."),
        reasons: z.array(z.string()),
      })
      .nullable()
      .describe("The cost in this time; null if it didn't exist."),
    noBalancer: noBalancer.nullable().describe("Whether one backend is enough; null without a profile."),
    options: z
      .array(costOption)
      .describe(
        "Options that fit, those with a complete bill first, then the cheapest, each only in its cheapest region. The recommended ones are among them, or last.",
      ),
    priceDates: priceDates.describe("The dates of the prices of options that fit; null if none has a date."),
    advice,
  })
  .meta({ id: "CostComparison" });
export type CostComparison = z.infer<typeof costComparison>;
