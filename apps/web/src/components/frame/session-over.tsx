"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useLive } from "@/live/live-provider.tsx";
import { Button } from "../ui/action/button.tsx";
import { StatusGlyph } from "../ui/status/status-badge.tsx";
import { signInHref } from "./sign-in-href.ts";

/** Shown if the session has ended, with a sign-in link that leads back to this page. The page stays. */
export function SessionOver() {
  const { state } = useLive();
  const path = usePathname();
  const search = useSearchParams().toString();
  if (state !== "signed-out") return null;
  const here = search ? `${path}?${search}` : path;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-bad-soft px-4 py-2 text-sm md:px-6"
    >
      <StatusGlyph shape="cross" className="text-bad" />
      <p className="min-w-0 flex-1 basis-60">
        Your session ended. This page no longer updates, and changes are rejected. Traffic is not affected.
      </p>
      <Button asChild size="sm" variant="primary">
        <a href={signInHref(here)}>Sign in again</a>
      </Button>
    </div>
  );
}
