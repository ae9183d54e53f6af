import { z } from "zod";
import { idOf } from "../../id.ts";
import { moment } from "../../moment.ts";
import { costOption } from "../estimate/estimate.ts";
import { confidence, provider } from "../prices/price-point.ts";
import { trafficProfile } from "../traffic/traffic-profile.ts";

export const usageSteps = ["all", "day", "hour"] as const;
export const usageGroups = ["organization", "cluster", "exposure", "loadBalancer"] as const;

const asked = {
  clusterId: idOf("cluster").optional(),
  exposureId: idOf("exposure").optional(),
  loadBalancerId: idOf("loadBalancer").optional(),
  from: moment.optional().describe("The beginning of this month, in UTC, when absent. Hours are taken whole."),
  to: moment.optional().describe("Up to this hour, without it; up to the last whole hour when absent."),
  step: z.enum(usageSteps).default("all").describe("One sum for all of the time, or one for each day or hour of it."),
  limit: z.int().min(1).max(200).default(50).describe("How many groups at most, the largest first."),
};

export const listUsage = z.strictObject({ ...asked, groupBy: z.enum(usageGroups).default("exposure") });
export type ListUsage = z.infer<typeof listUsage>;

export const listCosts = z.strictObject({
  ...asked,
  groupBy: z
    .string()
    .max(80, "80 characters at most")
    .regex(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
      /^(organization|cluster|exposure|loadBalancer|label:[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+)$/,
      "give organization, cluster, exposure, loadBalancer, or label: and its name, such as label:team",
    )
    .default("exposure")
    .meta({ examples: ["exposure", "label:team"] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "give a currency such as USD")
    .default("USD"),
});
export type ListCosts = z.infer<typeof listCosts>;

const group = {
  id: z.string().nullable().describe("Of the group's object, or the label's value; null for those without the label."),
  name: z.string(),
  balancers: z.int().describe("How many load balancers there were."),
  balancerHours: z.number(),
};
const span = { from: z.date(), to: z.date() };
const measuredShare = z
  .number()
  .min(0)
  .max(1)
  .describe("For how much of its time its traffic was measured. What is missing is in no sum.");

const amounts = {
  balancerHours: z.number(),
  addressHours: z.number(),
  machineHours: z.number().describe("Of the machines of its replicas, each shared equally by the balancers on it."),
  bytesIn: z.number().nullable().describe("From clients; null where nothing was measured."),
  bytesOut: z
    .number()
    .nullable()
    .describe("To clients, through the balancer: 0 where answers pass it by, null where nothing was measured."),
  bytesBoth: z
    .number()
    .nullable()
    .describe("Both ways together, of balancers whose provider counts no other way. It is in neither of the others."),
  connectionsNew: z.number().nullable(),
  connectionHours: z.number().nullable().describe("Live connections, times how long."),
  peakInBps: z.number().nullable().describe("The most that each replica saw from clients at once, added up."),
  peakBothBps: z.number().nullable().describe("The most of what is counted both ways."),
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
    total: z.int().describe("How many groups there are."),
    waiting: z.int().describe("How many hours of this time are still to be metered, or metered anew."),
  })
  .meta({ id: "UsageAnswer" });
export type UsageAnswer = z.infer<typeof usageAnswer>;

export const recountUsage = z.strictObject({
  from: moment.describe("From this hour on."),
  to: moment.optional().describe("Up to this hour, without it; up to the last whole hour when absent."),
});
export type RecountUsage = z.infer<typeof recountUsage>;

export const usageRecount = z
  .object({ ...span, hours: z.int().describe("So many hours are metered anew, within a few minutes.") })
  .meta({ id: "UsageRecount" });
export type UsageRecount = z.infer<typeof usageRecount>;

const cost = {
  micros: z.int().describe("Millionths of the currency: of all that is known. Where not all is, it is at least this."),
  knownShare: z
    .number()
    .min(0)
    .max(1)
    .describe("For how much of its time all that it costs is known. The reasons say what is missing, and what to do."),
};

export const costGroup = z
  .object({
    ...group,
    ...cost,
    instance: z.string().nullable().describe("Whose load balancers they are, where they are of one instance alone."),
    reasons: z.array(
      z.object({
        reason: z.string(),
        balancers: z.int(),
        clusterId: idOf("cluster").describe("Whose balancers they are."),
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
    ...cost,
    balancers: group.balancers,
    balancerHours: group.balancerHours,
    points: costGroup.shape.points.describe("Of each step, all groups together."),
    items: z.array(costGroup).describe("The dearest first."),
    total: z.int().describe("How many groups there are; the sums above are those of all of them."),
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
      .describe("That the sums rest on."),
  })
  .meta({ id: "CostsAnswer" });
export type CostsAnswer = z.infer<typeof costsAnswer>;

export const compareCosts = z.strictObject({
  id: idOf("exposure"),
  days: z.int().min(1).max(31).default(7).describe("How many days back its traffic is looked at."),
  currency: listCosts.shape.currency,
});
export type CompareCosts = z.infer<typeof compareCosts>;

/** CostComparison is what an exposure's measured traffic would cost as other things, beside what it costs. */
export const costComparison = z
  .object({
    ...span,
    currency: z.string(),
    measuredShare,
    profile: trafficProfile.nullable().describe("Of what was measured; null where nothing was."),
    notes: z.array(z.string()).describe("What in the profile is assumed, or why there is none."),
    today: z
      .object({
        ...cost,
        monthlyMicros: cost.micros.describe("At this rate, in 730 hours."),
        reasons: z.array(z.string()),
      })
      .nullable()
      .describe("What it cost in this time; null where it was not there."),
    options: z
      .array(costOption)
      .describe(
        "What fits, the cheapest first; of each only its cheapest region. What is advised is among them, or last.",
      ),
    advice: z.object({ offerId: z.string(), region: z.string(), reasons: z.array(z.string()) }).nullable(),
  })
  .meta({ id: "CostComparison" });
export type CostComparison = z.infer<typeof costComparison>;
