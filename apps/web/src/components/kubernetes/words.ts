import type { KubernetesPhase, KubernetesUserType } from "@fairlead/domain";
import type { StatusLook } from "@/components/ui/status.ts";

export const kubernetesLooks: Record<KubernetesPhase, StatusLook> = {
  checking: { word: "Checking", shape: "ring", tone: "accent" },
  connected: { word: "Connected", shape: "disc", tone: "good" },
  degraded: { word: "Not allowed enough", shape: "triangle", tone: "warn" },
  unreachable: { word: "Unreachable", shape: "dash", tone: "bad" },
  refused: { word: "Refused", shape: "square", tone: "bad" },
};

export const userTypeWords: Record<KubernetesUserType, string> = {
  token: "A token",
  certificate: "A client certificate",
  password: "A name and a password",
  "in-cluster": "The service account of the controller’s pod",
};
