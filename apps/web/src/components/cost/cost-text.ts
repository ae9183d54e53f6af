import type { CostGroup } from "@fairlead/domain";
import { monthText } from "../calculator/money-text.ts";

/** costText says what is known, and whose it is where several instances share it. */
export function costText(
  { micros, knownShare }: Pick<CostGroup, "micros" | "knownShare">,
  currency: string,
  isItsOwn: boolean,
): string {
  if (micros === 0 && knownShare === 0) return "unknown";
  const amount = `${knownShare < 0.995 ? "≥ " : ""}${monthText(micros, currency)}`;
  return isItsOwn ? amount : `${amount} together`;
}
