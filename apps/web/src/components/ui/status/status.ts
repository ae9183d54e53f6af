import type { Severity } from "@fairlead/domain/event";
import type { ExposurePhase } from "@fairlead/domain/exposure";
import type { backendHealths, backendStates, LoadBalancerPhase } from "@fairlead/domain/load-balancer";
import type { NodeState } from "@fairlead/domain/node";

/** The shapes of states, so that colour is never the only cue. */
export type StatusShape = "disc" | "ring" | "half" | "triangle" | "square" | "cross" | "dash" | "arrow" | "bars";
export type StatusTone = "good" | "warn" | "bad" | "silent" | "accent";
export type StatusLook = { word: string; shape: StatusShape; tone: StatusTone };

type BackendState = (typeof backendStates)[number];
type BackendHealth = (typeof backendHealths)[number];
export type Status = ExposurePhase | "paused" | LoadBalancerPhase | NodeState | Severity | BackendState | BackendHealth;

/** The look of each state. */
export const statusLooks: Record<Status, StatusLook> = {
  serving: { word: "Serving", shape: "disc", tone: "good" },
  pending: { word: "Pending", shape: "ring", tone: "accent" },
  degraded: { word: "Degraded", shape: "triangle", tone: "warn" },
  failed: { word: "Failed", shape: "square", tone: "bad" },
  deleting: { word: "Deleting", shape: "cross", tone: "silent" },
  paused: { word: "Paused", shape: "bars", tone: "accent" },

  "in-sync": { word: "In sync", shape: "disc", tone: "good" },
  "out-of-sync": { word: "Out of sync", shape: "half", tone: "warn" },
  silent: { word: "Silent", shape: "dash", tone: "silent" },
  "never-seen": { word: "Never seen", shape: "ring", tone: "silent" },
  revoked: { word: "Revoked", shape: "cross", tone: "bad" },

  info: { word: "Info", shape: "ring", tone: "accent" },
  warning: { word: "Warning", shape: "triangle", tone: "warn" },
  problem: { word: "Problem", shape: "square", tone: "bad" },

  active: { word: "Active", shape: "disc", tone: "good" },
  draining: { word: "Draining", shape: "arrow", tone: "warn" },
  filling: { word: "Filling", shape: "half", tone: "accent" },
  inactive: { word: "Inactive", shape: "ring", tone: "silent" },

  up: { word: "Up", shape: "disc", tone: "good" },
  down: { word: "Down", shape: "square", tone: "bad" },
  unknown: { word: "Unknown", shape: "ring", tone: "silent" },
};
