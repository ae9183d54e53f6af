import type { StatusLook } from "../ui/status.ts";
import { StatusBadge } from "../ui/status-badge.tsx";

export const readyLooks: Record<"ready" | "not-ready", StatusLook> = {
  ready: { word: "Ready", shape: "disc", tone: "good" },
  "not-ready": { word: "Not ready", shape: "ring", tone: "warn" },
};

/** Whether somebody new should come to an instance. */
export function ReadyBadge({ ready, className }: { ready: boolean; className?: string }) {
  return <StatusBadge status={readyLooks[ready ? "ready" : "not-ready"]} {...(className ? { className } : {})} />;
}
