"use client";
import { problemOf } from "@/trpc/problem.ts";
import { Button } from "../ui/button.tsx";
import { StatusGlyph } from "../ui/status-badge.tsx";

/** The rows that were asked for did not come, so those that are shown are from before. */
export function RowsOfBefore(props: { error: unknown; onRetry: () => void; isFetching: boolean }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 border-b bg-warn-soft/40 px-4 py-2 text-sm md:px-6">
      <StatusGlyph shape="triangle" className="text-warn" />
      <p className="min-w-0 flex-1">
        {problemOf(props.error).message} What is shown is from before; traffic is not affected.
      </p>
      <Button size="sm" onClick={props.onRetry} busy={props.isFetching}>
        Try again
      </Button>
    </div>
  );
}
