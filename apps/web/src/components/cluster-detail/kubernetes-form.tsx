"use client";
import { type Cluster, updateCluster } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { attachWish, emptyAttach } from "@/components/kubernetes/attach-draft.ts";
import { AttachFields } from "@/components/kubernetes/attach-fields.tsx";
import { FormFoot } from "@/components/ui/form-foot.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";

const fields = ["kubernetes.kubeconfig", "kubernetes.context", "kubernetes.inCluster"];

/** Gives a cluster a kubeconfig, or another one. */
export function KubernetesForm({ cluster, onDone }: { cluster: Cluster; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(emptyAttach);
  const errors = useFormErrors(fields);
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      gcTime: 0,
      onSuccess(saved) {
        void queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(`The API of ${saved.name} is being asked.`);
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const change = errors.check(updateCluster, { kubernetes: attachWish(draft) });
        if (change) update.mutate({ ...change, id: cluster.id, expectedGeneration: cluster.generation });
      }}
    >
      <AttachFields
        draft={draft}
        onChange={setDraft}
        errorOf={(field) => errors.of(`kubernetes.${field}`)}
        mayWait={false}
      />
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone} />
    </form>
  );
}
