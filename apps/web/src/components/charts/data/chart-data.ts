import type { Series } from "@fairlead/domain/series";
import type { Unit } from "./quantity.ts";

/** One line of a chart, with its display name. */
export type LineSpec = { title: string; series: Pick<Series, "points" | "intervalMs"> };

export type LineSummary = { last: number; min: number; avg: number; max: number; lastAt: number };

export type ChartLine = {
  title: string;
  /** null if there are no points in the range. */
  summary: LineSummary | null;
};

/** One instant: for each line its average, minimum and maximum; null if there is no point. */
export type ChartRow = { at: number; values: (number | null)[]; bands: ([number, number] | null)[] };

export type ChartData = { unit: Unit; lines: ChartLine[]; rows: ChartRow[]; low: number; high: number };

type Slot = { min: number; sum: number; count: number; max: number };

/** A hole of up to this many intervals is clock jitter. A wider one is a gap, and is drawn as one. */
const jitter = 2.5;

/**
 * toChartData aligns series with different timestamps to one grid, so that they share a cursor. Short holes are
 * bridged, gaps stay gaps.
 */
export function toChartData(unit: Unit, specs: LineSpec[], resolutionMs: number): ChartData {
  const stepMs = Math.max(resolutionMs, ...specs.map((spec) => spec.series.intervalMs), 1);
  const slots = specs.map((spec) => toSlots(spec, stepMs));
  const indices = [...new Set(slots.flatMap((each) => [...each.keys()]))].sort((a, b) => a - b);
  const grid = withGapRows(indices);
  const columns = slots.map((each) => bridge(grid, each, jitter));
  const rows = grid.map((index, i) => ({
    at: index * stepMs,
    values: columns.map((column) => column[i]?.avg ?? null),
    bands: columns.map((column): [number, number] | null => {
      const cell = column[i];
      return cell ? [cell.min, cell.max] : null;
    }),
  }));
  const points = specs.flatMap((spec) => spec.series.points);
  return {
    unit,
    lines: specs.map((spec) => ({ title: spec.title, summary: summarise(spec.series.points) })),
    rows,
    low: points.reduce((low, point) => Math.min(low, point.min), 0),
    high: points.reduce((high, point) => Math.max(high, point.max), 0),
  };
}

function toSlots(spec: LineSpec, stepMs: number): Map<number, Slot> {
  const slots = new Map<number, Slot>();
  for (const point of spec.series.points) {
    const index = Math.floor(point.at.getTime() / stepMs);
    const slot = slots.get(index);
    if (!slot) {
      slots.set(index, { min: point.min, sum: point.avg, count: 1, max: point.max });
      continue;
    }
    slot.min = Math.min(slot.min, point.min);
    slot.max = Math.max(slot.max, point.max);
    slot.sum += point.avg;
    slot.count += 1;
  }
  return slots;
}

/** Adds a row of nulls to every gap, because a line breaks only at such a row. */
function withGapRows(indices: number[]): number[] {
  return indices.flatMap((index, i) => {
    const before = indices[i - 1];
    return before !== undefined && index - before > 1 ? [before + 1, index] : [index];
  });
}

type Cell = { min: number; avg: number; max: number };

function bridge(grid: number[], slots: Map<number, Slot>, widest: number): (Cell | null)[] {
  const cells = grid.map((index) => toCell(slots.get(index)));
  let before = -1;
  for (const [i, cell] of cells.entries()) {
    if (!cell) continue;
    const [from, to] = [grid[before] ?? 0, grid[i] ?? 0];
    const start = cells[before];
    if (start && to - from <= widest)
      for (let hole = before + 1; hole < i; hole++)
        cells[hole] = between(start, cell, ((grid[hole] ?? 0) - from) / (to - from));
    before = i;
  }
  return cells;
}

function toCell(slot: Slot | undefined): Cell | null {
  return slot ? { min: slot.min, avg: slot.sum / slot.count, max: slot.max } : null;
}

function between(a: Cell, b: Cell, share: number): Cell {
  const mix = (x: number, y: number) => x + (y - x) * share;
  return { min: mix(a.min, b.min), avg: mix(a.avg, b.avg), max: mix(a.max, b.max) };
}

function summarise(points: Series["points"]): LineSummary | null {
  const last = points.at(-1);
  if (!last) return null;
  return {
    last: last.avg,
    lastAt: last.at.getTime(),
    min: Math.min(...points.map((point) => point.min)),
    avg: points.reduce((sum, point) => sum + point.avg, 0) / points.length,
    max: Math.max(...points.map((point) => point.max)),
  };
}

/** rowAt finds the row nearest to an instant, if one is within reach of the cursor. */
export function rowAt(rows: ChartRow[], at: number, reachMs: number): ChartRow | null {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [rows[low - 1], rows[low]];
  const nearest = !before || (after && after.at - at < at - before.at) ? after : before;
  return nearest && Math.abs(nearest.at - at) <= reachMs ? nearest : null;
}
