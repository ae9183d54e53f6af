"use client";
import type { Node, NodeState } from "@fairlead/domain/node";
import { useLive } from "@/live/live-provider.tsx";
import { useNowOf } from "../time/now.ts";
import { nodeStateNow } from "./node-state.ts";

type Reported = Pick<Node, "state" | "lastReportAt" | "reportIntervalMs">;

/**
 * useNodeState is the current state of a node or an agent. While live updates are paused, it keeps the state as of
 * then.
 */
export function useNodeState(of: Reported): NodeState {
  const { paused } = useLive();
  return useNowOf((now) => nodeStateNow(of, paused ? 0 : now));
}

/** useIsStale reports whether a node's metrics are outdated. */
export function useIsStale(of: Reported): boolean {
  const state = useNodeState(of);
  return state === "silent" || state === "revoked";
}
