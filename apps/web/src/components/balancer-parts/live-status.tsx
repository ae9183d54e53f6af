"use client";
import type { Status, StatusLook } from "@/components/ui/status.ts";
import { StatusBadge } from "@/components/ui/status-badge.tsx";
import { type Source, useSilent } from "./use-silent.ts";

/** A state that somebody reports, grey once its source is silent. */
export function LiveStatus({ status, of, className }: { status: Status | StatusLook; of: Source; className?: string }) {
  const isSilent = useSilent([of]);
  return <StatusBadge status={status} stale={isSilent} {...(className ? { className } : {})} />;
}
