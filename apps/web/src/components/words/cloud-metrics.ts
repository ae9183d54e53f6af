import type { CloudMetricsPhase } from "@fairlead/domain";
import type { StatusLook } from "@/components/ui/status.ts";

export const cloudMetricsLooks: Record<CloudMetricsPhase, StatusLook> = {
  checking: { word: "Checking", shape: "ring", tone: "accent" },
  reading: { word: "Reading", shape: "disc", tone: "good" },
  partial: { word: "Reading in part", shape: "triangle", tone: "warn" },
  unreachable: { word: "Unreachable", shape: "dash", tone: "bad" },
  refused: { word: "Refused", shape: "square", tone: "bad" },
};
