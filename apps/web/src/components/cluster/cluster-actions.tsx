"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ClusterDialog } from "@/app/(console)/clusters/cluster-dialog.tsx";
import { DeleteCluster } from "@/app/(console)/clusters/delete-cluster.tsx";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { countOf } from "@/components/words/numbers.ts";

/** Edits or deletes the cluster. */
export function ClusterActions({ cluster }: { cluster: Cluster }) {
  const router = useRouter();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = () => setOpen(null);
  const { exposureCount } = cluster;
  const refused =
    exposureCount > 0
      ? `It still has ${countOf(exposureCount, "exposure")}. Delete those first: otherwise their balancers would keep running unmanaged.`
      : null;
  return (
    <>
      <GuardedButton permission="cluster:write" onClick={() => setOpen("edit")}>
        <Pencil aria-hidden />
        Edit
      </GuardedButton>
      <GuardedButton permission="cluster:write" disabledReason={refused} onClick={() => setOpen("delete")}>
        <Trash2 aria-hidden />
        Delete
      </GuardedButton>
      <ClusterDialog open={open === "edit"} cluster={cluster} onClose={close} onSaved={close} />
      <DeleteCluster
        cluster={open === "delete" ? cluster : null}
        onClose={close}
        onDeleted={() => router.push("/clusters")}
      />
    </>
  );
}
