import { invalid } from "@fairlead/domain";
import type { Hours } from "@fairlead/domain/cost";

/** This many hours of balancers are summed in a few seconds. */
const mostHours = 8_000_000;

/** checkMuch refuses a request that would run into the database's statement timeout. */
export function checkMuch({ length }: readonly unknown[], { from, to }: Hours): void {
  if (length * (to - from) > mostHours)
    throw invalid(["from"], "That is too much at once: request less time, or one cluster.");
}
