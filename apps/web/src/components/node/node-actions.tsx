"use client";
import type { NodeDetail } from "@fairlead/domain/node";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { RemoveNode } from "@/app/(console)/nodes/remove-node.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { DrainNode } from "./drain-node.tsx";

/** Actions on a node: drain it, or remove it once it is silent. */
export function NodeActions({ node }: { node: NodeDetail }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const speaks = node.agents.some((agent) => agent.state === "in-sync" || agent.state === "out-of-sync");
  return (
    <>
      <DrainNode node={node} />
      <GuardedButton
        permission="node:write"
        disabledReason={
          speaks ? "Its agent still reports. Stop or revoke the agent first, then remove the node." : null
        }
        onClick={() => setOpen(true)}
      >
        <Trash2 aria-hidden />
        Remove
      </GuardedButton>
      <RemoveNode node={open ? node : null} onClose={() => setOpen(false)} onForgotten={() => router.push("/nodes")} />
    </>
  );
}
