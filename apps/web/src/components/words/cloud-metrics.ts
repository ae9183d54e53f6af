import type { CloudMetricsPhase } from "@fairlead/domain/cloud";
import type { StatusLook } from "@/components/ui/status/status.ts";

export const cloudMetricsLooks: Record<CloudMetricsPhase, StatusLook> = {
  checking: { word: "Checking", shape: "ring", tone: "accent" },
  reading: { word: "Reading", shape: "disc", tone: "good" },
  partial: { word: "Reading in part", shape: "triangle", tone: "warn" },
  unreachable: { word: "Unreachable", shape: "dash", tone: "bad" },
  refused: { word: "Rejected", shape: "square", tone: "bad" },
};
