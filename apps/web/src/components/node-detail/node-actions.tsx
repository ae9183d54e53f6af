"use client";
import type { NodeDetail } from "@fairlead/domain";
import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ForgetNode } from "@/app/(console)/nodes/forget-node.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { DrainNode } from "./drain-node.tsx";

/** What can be done with a node: drain it, and forget it, once nobody hears of it any more. */
export function NodeActions({ node }: { node: NodeDetail }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const speaks = node.agents.some((agent) => agent.state === "in-sync" || agent.state === "out-of-sync");
  return (
    <>
      <DrainNode node={node} />
      <GuardedButton
        permission="node:write"
        disabledReason={speaks ? "Its agent still reports. Stop it or revoke it first, then forget the node." : null}
        onClick={() => setOpen(true)}
      >
        <Trash2 aria-hidden />
        Forget
      </GuardedButton>
      <ForgetNode node={open ? node : null} onClose={() => setOpen(false)} onForgotten={() => router.push("/nodes")} />
    </>
  );
}
