"use client";
import { createContext, type ReactNode, use, useState, useSyncExternalStore } from "react";

type CursorStore = {
  get: () => number | null;
  set: (at: number | null) => void;
  subscribe: (listener: () => void) => () => void;
};

function createCursor(): CursorStore {
  let at: number | null = null;
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    set(next) {
      if (next === at) return;
      at = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const CursorContext = createContext<CursorStore | null>(null);

/** ChartGroup makes all charts inside it share a cursor. */
export function ChartGroup({ children }: { children: ReactNode }) {
  const [cursor] = useState(createCursor);
  return <CursorContext value={cursor}>{children}</CursorContext>;
}

/** useCursor returns the instant under the cursor and a setter. Outside a group a chart has its own cursor. */
export function useCursor(): [number | null, (at: number | null) => void] {
  const [own] = useState(createCursor);
  const cursor = use(CursorContext) ?? own;
  const at = useSyncExternalStore(cursor.subscribe, cursor.get, () => null);
  return [at, cursor.set];
}
