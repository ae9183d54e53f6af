"use client";
import { useSyncExternalStore } from "react";

/** Whether the key beside the space bar is called ⌘ here. The server can't know; most people type Ctrl. */
export function useIsMac(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
}
