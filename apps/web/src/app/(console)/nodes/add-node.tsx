"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain/cluster";
import { useState } from "react";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { AddNodeForm, type AgentRole } from "./add-node-form.tsx";
import { AddNodeWait } from "./add-node-wait.tsx";

/** Adds a node in two steps: choose the cluster, then run the command on the machine and wait for its first report. */
export function AddNode({
  open,
  clusterId,
  role,
  onClose,
}: {
  open: boolean;
  clusterId: string | null;
  role: AgentRole;
  onClose: () => void;
}) {
  const [token, setToken] = useState<CreatedEnrollmentToken | null>(null);
  function close() {
    onClose();
    setToken(null);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      wide
      title="Add node"
      description={
        token
          ? `Run this command on the machine that joins ${token.clusterName}, as root or with sudo.`
          : "Creates a token that enrols one machine, once."
      }
    >
      {token ? (
        <AddNodeWait token={token} onAnother={() => setToken(null)} onClose={close} />
      ) : (
        <AddNodeForm clusterId={clusterId} role={role} onCreated={setToken} onCancel={close} />
      )}
    </Dialog>
  );
}
