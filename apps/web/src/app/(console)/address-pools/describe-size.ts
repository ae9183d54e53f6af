import { numberToAddress, parsePrefix, usableRange } from "@fairlead/domain";
import { capacityOf } from "../../../components/words/numbers.ts";

/** describeSize says what a prefix holds while it is typed, or null while it is none. */
export function describeSize(text: string): string | null {
  const prefix = parsePrefix(text.trim());
  if ("problem" in prefix) return null;
  const { first, last } = usableRange(prefix);
  const size = Number(last - first + 1n);
  if (size === 1) return `One address, ${numberToAddress(first, prefix.family)}.`;
  return `${capacityOf(size)} addresses, ${numberToAddress(first, prefix.family)} to ${numberToAddress(last, prefix.family)}.`;
}
