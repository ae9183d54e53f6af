"use client";
import { useSyncExternalStore } from "react";

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

/** useNow ticks once a second with one timer for the whole page. 0 on the server and during hydration: unknown. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current, () => 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function current(): number {
  // Between ticks every reader sees the same instant; the first of them after a pause sets it.
  if (!timer || now === 0) now = Date.now();
  return now;
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
