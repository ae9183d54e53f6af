import type { RouteUpdate, UpdatePhase } from "@fairlead/domain/routing";

/**
 * The phases of routing daemons, in order. They share one scale, because a probe or a packet may take a thousand times
 * as long.
 */
export const drawnPhases = ["reflect", "deliver", "write"] as const satisfies readonly UpdatePhase[];

export type Segment = { phase: (typeof drawnPhases)[number]; ms: number; left: number; width: number };

type Measured = Pick<RouteUpdate, "phasesMs">;

/** drawnMs is the drawn duration of an update. */
export function drawnMs({ phasesMs }: Measured): number {
  return Math.max(
    phasesMs.converge ?? 0,
    drawnPhases.reduce((sum, phase) => sum + (phasesMs[phase] ?? 0), 0),
  );
}

/** layUpdate places the phases one after the other, in percent of the scale. An unknown phase leaves no gap. */
export function layUpdate({ phasesMs }: Measured, scaleMs: number): Segment[] {
  const segments: Segment[] = [];
  let left = 0;
  for (const phase of drawnPhases) {
    const ms = phasesMs[phase];
    if (ms === undefined || scaleMs <= 0) continue;
    const width = Math.min(100 - left, (100 * ms) / scaleMs);
    segments.push({ phase, ms, left, width });
    left += width;
  }
  return segments;
}
