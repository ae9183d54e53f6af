"use client";
import type { Node, NodeState } from "@fairlead/domain";
import { useLive } from "@/live/live-provider.tsx";
import { nodeStateNow } from "./node-state.ts";
import { useNowOf } from "./now.ts";

type Reported = Pick<Node, "state" | "lastReportAt" | "reportIntervalMs">;

/** useNodeState is the state of a node or an agent as it is now. Held still, the page shows how things stood. */
export function useNodeState(of: Reported): NodeState {
  const { paused } = useLive();
  return useNowOf((now) => nodeStateNow(of, paused ? 0 : now));
}

/** useIsStale says that a node's figures are from before: nobody has vouched for them lately. */
export function useIsStale(of: Reported): boolean {
  const state = useNodeState(of);
  return state === "silent" || state === "revoked";
}
