"use client";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback, useMemo } from "react";
import { formatRange, parseRange, type TimeRange } from "./time-range.ts";

const params = { range: parseAsString, from: parseAsString, to: parseAsString };

/** useTimeRange reads and sets the range in the URL. A new range adds a history entry. */
export function useTimeRange(): [TimeRange, (range: TimeRange) => void] {
  const [{ range, from, to }, setParams] = useQueryStates(params, { history: "push", scroll: false });
  const current = useMemo(() => parseRange({ range, from, to }), [range, from, to]);
  const set = useCallback((next: TimeRange) => void setParams(formatRange(next)), [setParams]);
  return [current, set];
}
