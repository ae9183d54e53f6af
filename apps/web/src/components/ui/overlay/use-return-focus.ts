"use client";
import { useRef } from "react";
import { focusContent } from "../../frame/focus-content.ts";

/**
 * useReturnFocus restores focus when a dialog closes. The library does so only for its own triggers, and most dialogs
 * here are opened by page state. If the opener is gone, or a link opened the dialog, the content gets the focus.
 */
export function useReturnFocus(open: boolean | undefined): (event: Event) => void {
  const wasOpen = useRef(false);
  const opener = useRef<HTMLElement | null>(null);
  if (open !== undefined && open !== wasOpen.current) {
    wasOpen.current = open;
    if (open && typeof document !== "undefined") opener.current = document.activeElement as HTMLElement | null;
  }
  return (event) => {
    if (!opener.current) return;
    event.preventDefault();
    if (opener.current.isConnected && opener.current !== document.body) opener.current.focus();
    else focusContent();
  };
}
