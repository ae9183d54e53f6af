"use client";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "../action/button.tsx";
import { StatusGlyph } from "../status/status-badge.tsx";

type Notice = { id: number; tone: "info" | "problem"; text: string };

const shownMs = 6_000;
const maxShown = 4;
let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/**
 * notify shows a short confirmation, such as "Created web." It disappears by itself. An error stays until it is closed.
 */
export function notify(text: string, tone: Notice["tone"] = "info"): void {
  const notice = { id: nextId++, tone, text };
  change([...notices, notice].slice(-maxShown));
  if (tone === "info") setTimeout(() => dismiss(notice.id), shownMs);
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

function change(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const none: readonly Notice[] = [];

export function Notices() {
  const shown = useSyncExternalStore(
    subscribe,
    () => notices,
    () => none,
  );
  return (
    <div
      role="log"
      aria-label="Notices"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] left-4 z-[60] flex flex-col items-end gap-2 md:bottom-4 md:left-auto"
    >
      {shown.map((notice) => (
        <div
          key={notice.id}
          className="pointer-events-auto flex max-w-sm items-start gap-2 rounded-md border bg-raised py-2 pr-1.5 pl-3 text-sm shadow-float"
        >
          <StatusGlyph
            shape={notice.tone === "problem" ? "square" : "disc"}
            className={notice.tone === "problem" ? "mt-1 text-bad" : "mt-1 text-accent"}
          />
          <span className="min-w-0 flex-1 break-words">{notice.text}</span>
          <Button
            variant="quiet"
            size="icon-sm"
            aria-label="Dismiss"
            className="-my-1"
            onClick={() => dismiss(notice.id)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  );
}
