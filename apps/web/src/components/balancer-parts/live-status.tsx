"use client";
import type { Status, StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { type Source, useSilence } from "./use-silence.ts";

/** A state that somebody reports, grey once its source is silent. */
export function LiveStatus({ status, of, className }: { status: Status | StatusLook; of: Source; className?: string }) {
  const isSilent = useSilence();
  return <StatusBadge status={status} stale={isSilent(of)} {...(className ? { className } : {})} />;
}
