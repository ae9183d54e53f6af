import type { TicketSoftware } from "@fairlead/domain/exposure";
import type { TicketPhase } from "@fairlead/domain/load-balancer";
import type { StatusLook } from "@/components/ui/status/status.ts";

export const ticketSoftwareTitles: Record<TicketSoftware, string> = {
  nginx: "nginx",
  haproxy: "HAProxy",
  node: "Node.js",
  go: "Go",
  envoy: "Envoy",
};

/** The looks of a rotation's phases. */
export const ticketPhaseLooks: Record<TicketPhase, StatusLook> = {
  idle: { word: "Idle", shape: "disc", tone: "good" },
  adding: { word: "Adding", shape: "half", tone: "accent" },
  switching: { word: "Switching", shape: "arrow", tone: "accent" },
  retiring: { word: "Retiring", shape: "ring", tone: "accent" },
};
