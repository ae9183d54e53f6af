"use client";
import { silentAfterMs } from "@fairlead/domain/node";
import type { Announcement, BgpSession, BgpTransition } from "@fairlead/domain/routing";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { useNowOf } from "@/components/ui/time/now.ts";

export const sessionLooks: Record<BgpSession["state"], StatusLook> = {
  established: { word: "Up", shape: "disc", tone: "good" },
  "open-confirm": { word: "Opening", shape: "half", tone: "accent" },
  "open-sent": { word: "Opening", shape: "half", tone: "accent" },
  active: { word: "Down, connecting", shape: "square", tone: "bad" },
  connect: { word: "Down, connecting", shape: "square", tone: "bad" },
  idle: { word: "Down", shape: "square", tone: "bad" },
};

const announcementLooks: Record<Announcement["state"], StatusLook> = {
  offered: { word: "Announced", shape: "disc", tone: "good" },
  draining: { word: "Draining", shape: "arrow", tone: "warn" },
  withdrawn: { word: "Not announced", shape: "triangle", tone: "warn" },
};

export function transitionLook(state: BgpTransition["to"]): StatusLook {
  return { ...sessionLooks, ...announcementLooks }[state];
}

type Seen = Pick<BgpSession, "observedAt" | "reportIntervalMs" | "isStale">;

/** useIsOld reports whether the source of a value is silent, either per the response or because of its age. */
export function useIsOld({ observedAt, reportIntervalMs, isStale }: Seen): boolean {
  return useNowOf((now) => isStale || now - observedAt.getTime() > silentAfterMs(reportIntervalMs));
}

export function SessionState({ of }: { of: BgpSession }) {
  return <StatusBadge status={sessionLooks[of.state]} stale={useIsOld(of)} />;
}

export function AnnouncementState({ of }: { of: Announcement }) {
  return <StatusBadge status={announcementLooks[of.state]} stale={useIsOld(of)} />;
}
