import { z } from "zod";
import type { CapacityFigure } from "../offers/capacity-figure.ts";
import type { Demand, Offer } from "../offers/offer.ts";
import { demandedOf, isEnough } from "./fit.ts";

/** The grades of evidence that an option carries the traffic, the best first. */
export const grades = ["proven", "likely", "unknown"] as const;
export const grade = z
  .enum(grades)
  .meta({ id: "CapacityGrade" })
  .describe(
    "The evidence that it carries the traffic. proven: its capacity is measured here or published, and enough. likely: its provider documents that it scales with traffic, without a figure. unknown: neither.",
  );
export type Grade = z.infer<typeof grade>;

/**
 * gradeOf grades an option that fits. Figures scaled by cores from another machine count as measured, with a note.
 * Assumed figures never count. Scaling with traffic is no evidence for the added latency.
 */
export function gradeOf(capacity: readonly CapacityFigure[], { elastic, layer }: Offer, demand: Demand): Grade {
  const unproven = demandedOf(demand, layer).filter(
    (of) => !capacity.some((figure) => figure.of === of && figure.basis !== "assumed" && isEnough(figure)),
  );
  if (unproven.length === 0) return "proven";
  return elastic && !unproven.includes("latency") ? "likely" : "unknown";
}
