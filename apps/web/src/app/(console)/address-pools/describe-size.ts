import { addressCount, numberToAddress, parsePrefix, usableRange } from "@fairlead/domain/address";
import { capacityOf } from "../../../components/words/numbers.ts";

/** describeSize describes a prefix while it is typed, or returns null while it is invalid. */
export function describeSize(text: string): string | null {
  const prefix = parsePrefix(text.trim());
  if ("problem" in prefix) return null;
  const { first, last } = usableRange(prefix);
  const size = addressCount(prefix);
  if (size === 1) return `One address, ${numberToAddress(first, prefix.family)}.`;
  return `${capacityOf(size)} addresses, ${numberToAddress(first, prefix.family)} to ${numberToAddress(last, prefix.family)}.`;
}
