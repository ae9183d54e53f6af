import { invalid } from "@fairlead/domain";
import type { Hours } from "@fairlead/domain/cost";

/** This many hours of balancers are summed in a few seconds. */
const mostHours = 8_000_000;

/** isTooMuch reports whether a request would take too long, if it sums these hours a number of times. */
export function isTooMuch({ length }: readonly unknown[], { from, to }: Hours, times = 1): boolean {
  return length * (to - from) * times > mostHours;
}

/** checkMuch refuses such a request. */
export function checkMuch(subjects: readonly unknown[], hours: Hours): void {
  if (isTooMuch(subjects, hours))
    throw invalid(["from"], "That is too much at once: request less time, or one cluster.");
}
