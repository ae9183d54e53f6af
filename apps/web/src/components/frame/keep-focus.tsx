"use client";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { focusContent } from "./focus-content.ts";

let isExpected = false;

/** focusNextPage moves the focus to the content of the page that is opened next, for keys that lead to a page from anywhere. */
export function focusNextPage(href: string): void {
  isExpected = new URL(href, location.href).pathname !== location.pathname;
}

/** Moves the focus to the content after a navigation that was expected, or that removed the focused element. Otherwise Tab starts at the top. */
export function KeepFocus() {
  const pathname = usePathname();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    // A dialog that opens with the page has the focus.
    const isTaken = document.activeElement?.closest("[role=dialog]");
    if (isLost || (isExpected && !isTaken)) focusContent();
    isExpected = false;
  }, [pathname]);
  return null;
}
