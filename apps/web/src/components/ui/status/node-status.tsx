"use client";
import { StatusBadge } from "./status-badge.tsx";
import { useNodeState } from "./use-node-state.ts";

/** The state of a node or an agent. It changes to silent without a server update. */
export function NodeStatus({ of, className }: { of: Parameters<typeof useNodeState>[0]; className?: string }) {
  const state = useNodeState(of);
  return <StatusBadge status={state} {...(className ? { className } : {})} />;
}
