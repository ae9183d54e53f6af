import { z } from "zod";
import { count } from "../numbers.ts";
import { labels } from "../object-name.ts";
import { plainText } from "../plain-text.ts";

export const addressFamilies = ["ipv4", "ipv6"] as const;
export type AddressFamily = (typeof addressFamilies)[number];

/** What each requirement has besides its limit. */
const common = {
  required: z
    .boolean()
    .default(false)
    .describe("Whether a candidate that doesn't meet it, or for which the figure is unknown, is excluded."),
  weight: z
    .number()
    .min(0, "enter a weight from 0 to 100")
    .max(100, "enter a weight from 0 to 100")
    .default(1)
    .describe("Its share of the points, compared with the weights of the other requirements; 0 for none."),
};

const positive = (what: string, most: number) =>
  z
    .number()
    .gt(0, `enter ${what} above 0`)
    .max(most, `enter at most ${count(most)}`);

const present = z.strictObject(common);

/** Requirements are what a caller needs of a cluster or an exposure. Each may be omitted. */
export const requirements = z
  .strictObject({
    addressFamily: z.strictObject({
      family: z.enum(addressFamilies).describe("The family of the address that clients use."),
      ...common,
    }),
    perInstanceMap: present.describe("An external address or port for each instance, with an address map."),
    tlsPersistence: present.describe("Each TLS session stays on its backend, without decryption."),
    latencyMsP99: z.strictObject({
      atMost: positive("milliseconds", 60_000).describe("In milliseconds."),
      ...common,
    }),
    headroomMbps: z.strictObject({
      atLeast: positive("Mbit/s", 10_000_000).describe("Throughput that can be added, in Mbit/s."),
      ...common,
    }),
    headroomConnections: z.strictObject({
      atLeast: positive("connections", 1_000_000_000).describe("Live connections that can be added."),
      ...common,
    }),
    region: z.strictObject({
      anyOf: z
        .array(plainText(63).min(1, "enter a region"))
        .min(1, "enter at least one region")
        .max(32, "32 regions at most"),
      ...common,
    }),
    hourlyPrice: z.strictObject({
      atMost: z
        .number()
        .min(0, "enter a price of at least 0")
        .max(1_000_000, "enter at most 1,000,000")
        .describe("Without traffic, in the currency of the request."),
      ...common,
    }),
    availability: z.strictObject({
      atLeastPercent: z
        .number()
        .min(0, "enter a percentage from 0 to 100")
        .max(100, "enter a percentage from 0 to 100")
        .describe("The share of the last 30 days in which it served, in percent."),
      ...common,
    }),
    labels: z.strictObject({
      match: labels.refine((map) => Object.keys(map).length > 0, "enter at least one label"),
      ...common,
    }),
  })
  .partial()
  .refine((all) => Object.values(all).some((each) => each !== undefined), "enter at least one requirement")
  .meta({ id: "ChoiceRequirements" });
export type Requirements = z.infer<typeof requirements>;

export type RequirementName = keyof Requirements;
export type RequirementOf<Name extends RequirementName> = NonNullable<Requirements[Name]>;

/** The requirements in the order in which they are evaluated and shown. */
export const requirementNames = [
  "addressFamily",
  "perInstanceMap",
  "tlsPersistence",
  "latencyMsP99",
  "headroomMbps",
  "headroomConnections",
  "region",
  "hourlyPrice",
  "availability",
  "labels",
] as const satisfies readonly RequirementName[];
