import type { KubernetesPhase, KubernetesUserType } from "@fairlead/domain/kubernetes";
import type { StatusLook } from "@/components/ui/status/status.ts";

export const kubernetesLooks: Record<KubernetesPhase, StatusLook> = {
  checking: { word: "Checking", shape: "ring", tone: "accent" },
  connected: { word: "Connected", shape: "disc", tone: "good" },
  degraded: { word: "Missing permissions", shape: "triangle", tone: "warn" },
  unreachable: { word: "Unreachable", shape: "dash", tone: "bad" },
  refused: { word: "Rejected", shape: "square", tone: "bad" },
};

export const userTypeWords: Record<KubernetesUserType, string> = {
  token: "Token",
  certificate: "Client certificate",
  password: "Name and password",
  "in-cluster": "Service account of the controller's pod",
};
