import type { CostGroup } from "@fairlead/domain/cost";
import { monthText } from "./calculator/money-text.ts";

/** costText formats a known cost, and marks one that several instances share. */
export function costText(
  { micros, knownShare }: Pick<CostGroup, "micros" | "knownShare">,
  currency: string,
  isItsOwn: boolean,
): string {
  if (micros === 0 && knownShare === 0) return "unknown";
  const amount = `${knownShare < 0.995 ? "≥ " : ""}${monthText(micros, currency)}`;
  return isItsOwn ? amount : `${amount} shared`;
}
