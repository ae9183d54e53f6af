"use client";
import { useRef } from "react";

/**
 * useReturnFocus gives the keyboard back, when a dialog closes, to what had it when it opened. The library does so
 * only for its own triggers, and most dialogs here are opened by the state of the page.
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
