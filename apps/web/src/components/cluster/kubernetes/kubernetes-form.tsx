"use client";
import { type Cluster, updateCluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { attachSpec, emptyAttach } from "@/components/kubernetes/attach-draft.ts";
import { AttachFields } from "@/components/kubernetes/attach-fields.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

const fields = ["kubernetes.kubeconfig", "kubernetes.context", "kubernetes.inCluster"];

/** Sets or replaces the kubeconfig of a cluster. */
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
        notify(`Connecting to the API of ${saved.name}.`);
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const change = errors.check(updateCluster, { kubernetes: attachSpec(draft) });
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
    </Form>
  );
}
