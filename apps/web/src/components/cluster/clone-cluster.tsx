"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ClusterDialog } from "@/app/(console)/clusters/cluster-dialog.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";

/** Opens the form of a new cluster, filled like this one, and then the page of the new cluster. */
export function CloneCluster({ cluster }: { cluster: Cluster }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <GuardedButton size="sm" permission="cluster:write" onClick={() => setOpen(true)}>
        <Copy aria-hidden />
        Clone
      </GuardedButton>
      <ClusterDialog
        open={open}
        original={cluster}
        onClose={() => setOpen(false)}
        onSaved={({ id }) => router.push(`/clusters/${id}`)}
      />
    </>
  );
}
