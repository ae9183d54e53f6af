"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog.tsx";
import { AddNodeForm } from "./add-node-form.tsx";
import { AddNodeWait } from "./add-node-wait.tsx";

/** Adds a node in two steps: which cluster, then the line to run there, and the wait until it is here. */
export function AddNode({
  open,
  clusterId,
  onClose,
}: {
  open: boolean;
  clusterId: string | null;
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
      title="Add a node"
      description={
        token
          ? `Run this on the machine that is to join ${token.clusterName}.`
          : "Makes a token that lets one machine join, once."
      }
    >
      {token ? (
        <AddNodeWait token={token} onAnother={() => setToken(null)} onClose={close} />
      ) : (
        <AddNodeForm clusterId={clusterId} onCreated={setToken} onCancel={close} />
      )}
    </Dialog>
  );
}
