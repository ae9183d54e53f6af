import { invalid } from "@fairlead/domain";
import type { Hours } from "@fairlead/domain/cost";

/** This many hours of balancers are summed in a few seconds. */
const mostHours = 8_000_000;

/** isTooMuch reports whether a request would take too long, if it sums these hours of so many balancers. */
export function isTooMuch(balancers: number, { from, to }: Hours): boolean {
  return balancers * (to - from) > mostHours;
}

/** checkMuch refuses such a request. */
export function checkMuch(subjects: readonly unknown[], hours: Hours): void {
  if (isTooMuch(subjects.length, hours))
    throw invalid(["from"], "That is too much at once: request less time, or one cluster.");
}
