"use client";
import { useMemo, useState } from "react";

/** A selected row, with its display name, and the generation that it had when it was selected, if rows have one. */
export type Picked = { id: string; name: string; generation?: number | undefined };

export type Selection = {
  size: number;
  picked: () => Picked[];
  has: (id: string) => boolean;
  toggle: (row: Picked) => void;
  add: (rows: readonly Picked[]) => void;
  clear: () => void;
};

/**
 * The selected rows. Not in the URL, because a link must never contain a selection to delete. A new search or filter
 * (listKey) clears it: rows that are no longer in the list must not be deleted.
 */
export function useSelection(listKey: string): Selection {
  const [kept, setKept] = useState<{ listKey: string; rows: ReadonlyMap<string, Picked> }>({
    listKey,
    rows: new Map(),
  });
  if (kept.listKey !== listKey) setKept({ listKey, rows: new Map() });
  const { rows } = kept;
  return useMemo(() => {
    const change = (apply: (rows: Map<string, Picked>) => void) =>
      setKept((before) => {
        const next = new Map(before.rows);
        apply(next);
        return { ...before, rows: next };
      });
    return {
      size: rows.size,
      picked: () => [...rows.values()],
      has: (id) => rows.has(id),
      toggle: (row) => change((next) => void (next.delete(row.id) || next.set(row.id, row))),
      add: (more) =>
        change((next) => {
          for (const row of more) next.set(row.id, row);
        }),
      clear: () => change((next) => next.clear()),
    };
  }, [rows]);
}
