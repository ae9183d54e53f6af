"use client";
import { RotateCw } from "lucide-react";
import { Button } from "../action/button.tsx";
import { StatusGlyph } from "../status/status-badge.tsx";

/** An error: what happened, what it means for traffic, and what to do. */
export function ErrorState({
  what,
  message,
  meaning = "Traffic is not affected: this page only reads.",
  onRetry,
  retrying = false,
}: {
  what: string;
  message: string;
  meaning?: string;
  onRetry?: () => void;
  retrying?: boolean;
}) {
  return (
    <div role="alert" className="flex max-w-xl flex-col items-start gap-2 px-4 py-10 md:px-6">
      <h2 className="flex items-center gap-2 font-semibold text-base">
        <StatusGlyph shape="square" className="text-bad" />
        {what}
      </h2>
      <p className="text-sm">{message}</p>
      <p className="text-muted text-sm">{meaning}</p>
      {onRetry ? (
        <Button className="mt-2" onClick={onRetry} busy={retrying}>
          {retrying ? null : <RotateCw aria-hidden />}
          Try again
        </Button>
      ) : null}
    </div>
  );
}
