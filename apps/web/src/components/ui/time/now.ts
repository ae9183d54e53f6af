"use client";
import { useSyncExternalStore } from "react";
import { onServerTime, serverNow } from "@/live/server-clock.ts";

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

/**
 * useNow returns the control plane's time. It ticks once per second, with one timer for the whole page. 0 on the server
 * and during hydration: unknown.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current, () => 0);
}

/** useNowOf returns a value derived from the time. The component renders again only when the value changes. */
export function useNowOf<T extends string | number | boolean>(select: (now: number) => T): T {
  return useSyncExternalStore(
    subscribe,
    () => select(current()),
    () => select(0),
  );
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
  // Between ticks every reader gets the same instant. The first reader after a pause sets it.
  if (!timer || now === 0) now = serverNow();
  return now;
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

onServerTime(tick);
