import { type AttentionList, attentionKinds } from "@fairlead/domain/attention";
import type { Overview } from "@fairlead/domain/overview";
import { count, countOf } from "../words/numbers.ts";

type Counts = Pick<AttentionList, "total" | "counts">;

/** The kinds that the sentence names; the list below it has all. */
const named = 2;

/** describeAttention summarises the list of what needs attention; without any, whether everything serves. */
export function describeAttention({ counts, total }: Counts, overview: Pick<Overview, "nodes" | "exposures">): string {
  if (total === 0) return describeCalm(overview);
  const first = counts.slice(0, named);
  const parts = first.map(({ kind, count: many }) => {
    const { one, many: others } = attentionKinds[kind];
    return countOf(many, one, others);
  });
  const rest = total - first.reduce((sum, each) => sum + each.count, 0);
  if (rest > 0) parts.push(`${count(rest)} more ${rest === 1 ? "needs" : "need"} attention`);
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}.` : `${last}.`;
}

function describeCalm({ nodes, exposures }: Pick<Overview, "nodes" | "exposures">): string {
  if (nodes.total === 0 && exposures.total === 0) return "No nodes and no exposures yet.";
  if (exposures.total === 0) return "Nothing needs attention. No exposures yet.";
  const { serving } = exposures.byPhase;
  if (serving === exposures.total) return "Everything serves.";
  return `Nothing needs attention. Exposures serving: ${count(serving)} of ${count(exposures.total)}.`;
}
