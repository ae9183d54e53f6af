import type { StatusLook } from "../ui/status/status.ts";
import { StatusBadge } from "../ui/status/status-badge.tsx";

export const readyLooks: Record<"ready" | "not-ready", StatusLook> = {
  ready: { word: "Ready", shape: "disc", tone: "good" },
  "not-ready": { word: "Not ready", shape: "ring", tone: "warn" },
};

/** Whether an instance accepts new clients. */
export function ReadyBadge({ ready, className }: { ready: boolean; className?: string }) {
  return <StatusBadge status={readyLooks[ready ? "ready" : "not-ready"]} {...(className ? { className } : {})} />;
}
