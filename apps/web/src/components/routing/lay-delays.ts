import type { RouteDelay, RouteDelays, UpdatePhase } from "@fairlead/domain/routing";

/** A bar of a histogram: announcements point up, withdrawals down. */
export type DelayBar = { at: number; fromMs: number; toMs: number; announced: number; withdrawn: number };

export type DelayPanel = {
  phase: UpdatePhase;
  bars: DelayBar[];
  most: number;
  announced: RouteDelay | null;
  withdrawn: RouteDelay | null;
};

export type DelayLayout = {
  panels: DelayPanel[];
  /** The ticks of the axis, which is the same for all panels. */
  ticks: { at: number; ms: number }[];
  columns: number;
};

/** The minimum number of columns: a single one would fill the panel. */
const fewestColumns = 13;

/** layDelays builds a panel for each phase, all with the same axis: the range in which there are values. */
export function layDelays({ boundsMs, delays }: RouteDelays, phases: readonly UpdatePhase[]): DelayLayout {
  const filled = delays.flatMap(({ buckets }) => buckets.flatMap((count, bucket) => (count > 0 ? [bucket] : [])));
  if (filled.length === 0) return { panels: [], ticks: [], columns: 0 };
  const { first, last } = widen(Math.min(...filled) - 1, Math.max(...filled) + 1, boundsMs.length);
  const columns = last - first + 1;
  const panels = phases.flatMap((phase) => {
    const of = (isWithdrawal: boolean) =>
      delays.find((each) => each.phase === phase && each.isWithdrawal === isWithdrawal) ?? null;
    const [announced, withdrawn] = [of(false), of(true)];
    if (!announced && !withdrawn) return [];
    const bars = Array.from({ length: columns }, (_, at) => ({
      at,
      fromMs: boundsMs[first + at - 1] ?? 0,
      toMs: boundsMs[first + at] ?? Number.POSITIVE_INFINITY,
      announced: announced?.buckets[first + at] ?? 0,
      withdrawn: -(withdrawn?.buckets[first + at] ?? 0) || 0,
    }));
    const most = Math.max(...bars.map((bar) => Math.max(bar.announced, -bar.withdrawn)));
    return [{ phase, bars, most, announced, withdrawn }];
  });
  const ticks = boundsMs.flatMap((ms, bound) => {
    const at = bound + 1 - first - 0.5; // between two columns
    return isDecade(ms) && at > 0 && at < columns - 1 ? [{ at, ms }] : [];
  });
  return { panels, ticks, columns };
}

/** delayRows returns a row for each bar of a panel, as numbers of updates that took that long. */
export function delayRows({ bars }: DelayPanel): object[] {
  return bars.map(({ fromMs, toMs, announced, withdrawn }) => ({
    fromMs,
    toMs: Number.isFinite(toMs) ? toMs : null,
    announced,
    withdrawn: Math.abs(withdrawn),
  }));
}

function widen(first: number, last: number, greatest: number): { first: number; last: number } {
  const lacking = Math.max(0, fewestColumns - (last - first + 1));
  const from = Math.max(0, first - Math.ceil(lacking / 2));
  const to = Math.min(greatest, Math.max(last, from + fewestColumns - 1));
  return { first: Math.max(0, Math.min(from, to - fewestColumns + 1)), last: to };
}

function isDecade(ms: number): boolean {
  const power = Math.log10(ms);
  return Math.abs(power - Math.round(power)) < 1e-6;
}
