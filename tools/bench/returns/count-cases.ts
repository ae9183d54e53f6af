/** How often each change is among the cases of one resumption; see the Go type SessionPlan. */
const variants = { none: 3, loss: 1, backends: 1, replicas: 1 };
const resumptions = 3;

/** Each variant has both families, with and without timestamps, in every case, and one of these in few. */
const combinations = { every: 4, few: 1 };

/** countCases returns how many cases a form runs, if only some changes, or a part of the cases, are selected. */
export function countCases(
  form: "every" | "few" | "one",
  changes: readonly string[],
  part?: { from: number; to: number },
): number {
  const own = Object.entries(variants).filter(([change]) => changes.length === 0 || changes.includes(change));
  const each = own.reduce((sum, [, count]) => sum + count, 0);
  const all = form === "one" ? each : resumptions * combinations[form] * each;
  return part ? Math.max(0, Math.min(all, part.to) - part.from + 1) : all;
}
