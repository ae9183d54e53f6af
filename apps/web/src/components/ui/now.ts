"use client";
import { useSyncExternalStore } from "react";
import { onServerTime, serverNow } from "@/live/server-clock.ts";

const tickMs = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

/**
 * useNow is the control plane's time. It ticks once a second with one timer for the whole page. 0 on the server and
 * during hydration: unknown.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current, () => 0);
}

/** useNowOf is what somebody makes of the time: who asks draws anew only when that is another. */
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
  // Between ticks every reader sees the same instant; the first of them after a pause sets it.
  if (!timer || now === 0) now = serverNow();
  return now;
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

onServerTime(tick);
