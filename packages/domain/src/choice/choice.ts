import { z } from "zod";
import { currencyCode } from "../cost/prices/currency-code.ts";
import { idOf } from "../id.ts";
import { moment } from "../moment.ts";
import { volatile } from "../volatile.ts";
import { requirementNames, requirements } from "./requirements.ts";

/** What to choose from. */
export const choiceKinds = ["clusters", "exposures"] as const;
export type ChoiceKind = (typeof choiceKinds)[number];

export const mostCandidates = 1_000;
const longestWaitSeconds = 60;

/** Hysteresis keeps a winner that is only a little worse, or only for a moment. */
export const hysteresis = z
  .strictObject({
    marginPoints: z
      .number()
      .min(0, "enter points from 0 to 100")
      .max(100, "enter points from 0 to 100")
      .default(5)
      .describe("A candidate that leads the winner by so many points replaces it at once."),
    holdSeconds: z
      .int()
      .min(0, "enter seconds from 0 to 86,400")
      .max(86_400, "enter seconds from 0 to 86,400")
      .default(30)
      .describe("A winner that others lead for so long is replaced, however small the lead."),
  })
  .meta({ id: "ChoiceHysteresis" });
export type Hysteresis = z.infer<typeof hysteresis>;
export const usualHysteresis: Hysteresis = hysteresis.parse({});

/** Settled is all that has to be kept from one choice to the next. */
export const settled = z
  .strictObject({
    winnerId: z.string().max(64).nullable().describe("The id of the winner; null if no candidate is eligible."),
    behindSince: moment
      .nullable()
      .default(null)
      .describe("Since when another candidate leads the winner; null if none does."),
  })
  .meta({ id: "SettledChoice" });
export type Settled = z.infer<typeof settled>;

export const choose = z
  .strictObject({
    among: z.enum(choiceKinds).default("clusters"),
    clusterId: idOf("cluster").optional().describe("Only this cluster, or only exposures in it."),
    requirements,
    from: idOf("node")
      .optional()
      .describe("The node that the caller runs on: latency is the round trip from there, as its agent measures it."),
    measured: z
      .array(
        z.strictObject({
          id: z.string().max(64).describe("The id of a candidate."),
          latencyMsP99: z.number().min(0, "enter milliseconds of at least 0").max(86_400_000),
          measuredAt: moment,
        }),
      )
      .max(mostCandidates)
      .default([])
      .describe("Latencies that the caller measured itself. They count instead of those of agents."),
    currency: currencyCode.default("USD").describe("Of prices."),
    maxAgeSeconds: z
      .int()
      .min(5, "enter seconds from 5 to 86,400")
      .max(86_400, "enter seconds from 5 to 86,400")
      .default(300)
      .describe("A latency or headroom that was measured longer ago counts as unknown."),
    // Without a default: generated clients in Go can't have one of an object.
    hysteresis: hysteresis.optional(),
    previous: settled.optional().describe("The field settled of your last choice. Without it, nothing is kept."),
    after: z
      .string()
      .max(64)
      .optional()
      .describe("The state that you have. With wait, the response is sent when the choice has another."),
    wait: z
      .string()
      .regex(/^([1-9]|[1-5][0-9]|60)s$/, `enter seconds, such as 30s; ${longestWaitSeconds}s at most`)
      .optional()
      .describe("How long to wait for another state than after, which is required with it."),
    limit: z.int().min(1).max(mostCandidates).default(20).describe("How many candidates are listed, the best first."),
  })
  .refine(({ wait, after }) => wait === undefined || after !== undefined, {
    path: ["after"],
    message: "wait needs the state that you have; an empty text for none",
  })
  .meta({ id: "Choose" });
export type Choose = z.infer<typeof choose>;
export type ChooseInput = z.input<typeof choose>;

export const evidence = z
  .object({
    requirement: z.enum(requirementNames),
    title: z.string(),
    required: z.boolean(),
    weight: z.number(),
    result: z.enum(["met", "unmet", "unknown"]).describe("An unknown figure gets no points, and is never guessed."),
    value: volatile(z.number().nullable()).describe("In the unit; null if it is unknown or isn't a number."),
    unit: z.string(),
    text: volatile(z.string()).describe("The value for users."),
    wanted: z.string().describe("The limit of the requirement for users."),
    source: volatile(z.string()).describe("Where the value is from, or why it is unknown."),
    measuredAt: volatile(z.date().nullable()).describe("null for a setting, and if it is unknown."),
    ageSeconds: volatile(z.number().nullable()),
    points: volatile(z.number()),
    mostPoints: z.number().describe("What the best possible value would get."),
  })
  .meta({ id: "ChoiceEvidence" });
export type Evidence = z.infer<typeof evidence>;

export const rankedCandidate = z
  .object({
    rank: z.int().describe("From 1. Candidates with equal points have the same rank."),
    id: z.string(),
    name: z.string(),
    clusterId: z.string(),
    clusterName: z.string(),
    isEligible: z.boolean().describe("Whether it meets everything that is required."),
    points: volatile(z.number()).describe("From 0 to 100."),
    evidence: z.array(evidence),
    against: volatile(z.array(z.string())).describe("Reasons against it: unmet and unknown requirements."),
  })
  .meta({ id: "RankedCandidate" });
export type RankedCandidate = z.infer<typeof rankedCandidate>;

export const choice = z
  .object({
    at: volatile(z.date()),
    among: z.enum(choiceKinds),
    state: z
      .string()
      .describe("Changes with the winner, with who is eligible, and with what each candidate meets. Pass it as after."),
    settled: volatile(settled).describe("Pass it as previous of the next choice."),
    winner: z.object({ id: z.string(), name: z.string() }).nullable(),
    reason: volatile(z.string()).describe("Why it is the winner."),
    hysteresis,
    candidateCount: z.int(),
    eligibleCount: z.int(),
    items: z.array(rankedCandidate),
  })
  .meta({ id: "Choice" });
export type Choice = z.infer<typeof choice>;

/** waitMsOf is how long a request wants to wait. */
export function waitMsOf({ wait }: Pick<Choose, "wait">): number {
  return wait === undefined ? 0 : Number.parseInt(wait, 10) * 1_000;
}
