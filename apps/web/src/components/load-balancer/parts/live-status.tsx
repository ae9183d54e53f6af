"use client";
import type { Status, StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { type Source, useSilent } from "./use-silent.ts";

/** A reported state, grey once its source is silent. */
export function LiveStatus({ status, of, className }: { status: Status | StatusLook; of: Source; className?: string }) {
  const isSilent = useSilent([of]);
  return <StatusBadge status={status} stale={isSilent} {...(className ? { className } : {})} />;
}
