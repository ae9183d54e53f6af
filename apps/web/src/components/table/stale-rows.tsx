"use client";
import { problemOf } from "@/trpc/problem.ts";
import { Button } from "../ui/action/button.tsx";
import { StatusGlyph } from "../ui/status/status-badge.tsx";

/** Shown if the requested rows could not be loaded, so the previous rows are still visible. */
export function StaleRows(props: { error: unknown; onRetry: () => void; isFetching: boolean }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 border-b bg-warn-soft/40 px-4 py-2 text-sm md:px-6">
      <StatusGlyph shape="triangle" className="text-warn" />
      <p className="min-w-0 flex-1">{problemOf(props.error).message} The rows are outdated. Traffic is not affected.</p>
      <Button size="sm" onClick={props.onRetry} busy={props.isFetching}>
        Try again
      </Button>
    </div>
  );
}
