"use client";
import { useRef } from "react";

/**
 * useReturnFocus restores focus when a dialog closes. The library does so only for its own triggers, and most dialogs
 * here are opened by page state.
 */
export function useReturnFocus(open: boolean | undefined): (event: Event) => void {
  const wasOpen = useRef(false);
  const opener = useRef<HTMLElement | null>(null);
  if (open !== undefined && open !== wasOpen.current) {
    wasOpen.current = open;
    if (open && typeof document !== "undefined") opener.current = document.activeElement as HTMLElement | null;
  }
  return (event) => {
    if (!opener.current?.isConnected || opener.current === document.body) return;
    event.preventDefault();
    opener.current.focus();
  };
}
