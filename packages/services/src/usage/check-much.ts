import { invalid } from "@fairlead/domain";
import type { Hours } from "@fairlead/domain/cost";

/** So many hours of balancers are added up in a few seconds. */
const mostHours = 8_000_000;

/** checkMuch refuses what would end in the database's patience. */
export function checkMuch({ length }: readonly unknown[], { from, to }: Hours): void {
  if (length * (to - from) > mostHours)
    throw invalid(["from"], "That is too much at once: ask for less time, or for one cluster.");
}
