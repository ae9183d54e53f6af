import type { ExperimentDetail } from "@fairlead/domain/experiment";
import { formatQuantity } from "../charts/data/quantity.ts";

export type SettlingBar = { label: string; count: number; share: number };

/**
 * laySettling builds the histogram of settle times, from the first to the last bucket in use, plus one on each side.
 */
export function laySettling(delays: ExperimentDetail["delays"]): SettlingBar[] {
  const filled = delays.flatMap(({ count }, i) => (count > 0 ? [i] : []));
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return [];
  const most = Math.max(...delays.map((each) => each.count));
  return delays.slice(Math.max(0, first - 1), last + 2).map(({ atMostMs, count }, i) => {
    const before = delays[Math.max(0, first - 1) + i - 1]?.atMostMs ?? 0;
    const label = atMostMs === null ? `over ${ms(before)}` : `to ${ms(atMostMs)}`;
    return { label, count, share: count / most };
  });
}

const ms = (value: number) => formatQuantity(value, "ms").replace(/\.0+(?=\D)/, "");
