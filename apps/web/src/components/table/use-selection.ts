"use client";
import { useMemo, useState } from "react";

/** A row picked for an action, with the name that people know it by. */
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
 * The rows picked for an action. Not in the URL: a link must never carry what somebody was about to delete. Another
 * search or filter (listKey) lets go of them: what is not in the list any more must not be deleted with what is.
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
