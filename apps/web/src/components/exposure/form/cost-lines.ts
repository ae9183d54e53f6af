import type { PlannedCost } from "@fairlead/domain/cost";
import { countOf } from "../../words/numbers.ts";

export type CostLine = { label: string; micros: number };

const most = 3;

/** costLines lists what a cost consists of, the largest part first. The smallest parts share the last line. */
export function costLines(items: PlannedCost["items"]): CostLine[] {
  const lines = items.map(({ item, quantity, micros }) => ({ label: labelOf(item, quantity), micros }));
  if (lines.length <= most) return lines;
  const rest = lines.slice(most - 1);
  const micros = rest.reduce((sum, line) => sum + line.micros, 0);
  return [...lines.slice(0, most - 1), { label: countOf(rest.length, "other item"), micros }];
}

function labelOf(item: string, quantity: number): string {
  const rounded = Math.round(quantity * 100) / 100;
  return rounded === 1 ? item : `${item} × ${rounded}`;
}
