"use client";
import { useMemo, useState } from "react";

/** A selected row, with its display name. */
export type Picked = { id: string; name: string };

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
  const [kept, setKept] = useState<{ listKey: string; rows: ReadonlyMap<string, string> }>({
    listKey,
    rows: new Map(),
  });
  if (kept.listKey !== listKey) setKept({ listKey, rows: new Map() });
  const { rows } = kept;
  return useMemo(() => {
    const change = (apply: (rows: Map<string, string>) => void) =>
      setKept((before) => {
        const next = new Map(before.rows);
        apply(next);
        return { ...before, rows: next };
      });
    return {
      size: rows.size,
      picked: () => [...rows].map(([id, name]) => ({ id, name })),
      has: (id) => rows.has(id),
      toggle: ({ id, name }) => change((next) => void (next.delete(id) || next.set(id, name))),
      add: (more) =>
        change((next) => {
          for (const { id, name } of more) next.set(id, name);
        }),
      clear: () => change((next) => next.clear()),
    };
  }, [rows]);
}
