"use client";
import { createContext, type ReactNode, use, useState, useSyncExternalStore } from "react";

type CursorStore = {
  get: () => number | null;
  set: (at: number | null) => void;
  subscribe: (listener: () => void) => () => void;
};

function makeCursor(): CursorStore {
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

/** ChartGroup lets all charts inside it point at the same moment. */
export function ChartGroup({ children }: { children: ReactNode }) {
  const [cursor] = useState(makeCursor);
  return <CursorContext value={cursor}>{children}</CursorContext>;
}

/** useCursor is the moment pointed at, and how to point. Outside a group a chart points for itself. */
export function useCursor(): [number | null, (at: number | null) => void] {
  const [own] = useState(makeCursor);
  const cursor = use(CursorContext) ?? own;
  const at = useSyncExternalStore(cursor.subscribe, cursor.get, () => null);
  return [at, cursor.set];
}
