"use client";
import { useSyncExternalStore } from "react";

/** Whether the modifier key is ⌘. The server doesn't know it, so Ctrl is the default. */
export function useIsMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
}
