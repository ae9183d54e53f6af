"use client";
import { type Cluster, type ClusterKind, clusterKinds, createCluster, updateCluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { attachSpec, emptyAttach, isBlank } from "@/components/kubernetes/attach-draft.ts";
import { AttachFields } from "@/components/kubernetes/attach-fields.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input, Textarea } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { clusterKindWords } from "@/components/words/clusters.ts";
import { formatLabels, parseLabels } from "@/components/words/parse-labels.ts";
import { useTRPC } from "@/trpc/client.tsx";

const attachFields = ["kubernetes.kubeconfig", "kubernetes.context", "kubernetes.inCluster"];
const fields = ["name", "kind", "region", "labels", ...attachFields];

export function ClusterForm({
  cluster,
  original,
  onCancel,
  onSaved,
}: {
  cluster: Cluster | null;
  original: Cluster | null;
  onCancel: () => void;
  onSaved: (cluster: Cluster) => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState(cluster?.name ?? "");
  const filled = cluster ?? original;
  const [kind, setKind] = useState<ClusterKind>(filled?.kind ?? "kubernetes");
  const [region, setRegion] = useState(filled?.region ?? "");
  const [labelText, setLabelText] = useState(formatLabels(filled?.labels ?? {}));
  const [attach, setAttach] = useState(emptyAttach);
  const errors = useFormErrors(fields);
  const isAttachable = !cluster && kind === "kubernetes";

  function saved(saved: Cluster) {
    void queryClient.invalidateQueries(trpc.cluster.pathFilter());
    const next = saved.kubernetes ? "Connecting to its API." : "Next, add nodes.";
    notify(cluster ? `Saved ${saved.name}.` : `Created ${saved.name}. ${next}`);
    onSaved(saved);
  }
  const create = useMutation(
    trpc.cluster.create.mutationOptions({ gcTime: 0, onSuccess: saved, onError: errors.fail }),
  );
  const update = useMutation(trpc.cluster.update.mutationOptions({ onSuccess: saved, onError: errors.fail }));

  function submit() {
    const parsed = parseLabels(labelText);
    if ("problem" in parsed) return errors.set({ labels: parsed.problem });
    const common = { name: name.trim(), region, labels: parsed.labels };
    if (cluster) {
      const change = errors.check(updateCluster, common);
      if (change) update.mutate({ ...change, id: cluster.id, expectedGeneration: cluster.generation });
    } else {
      const kubernetes = isAttachable && !isBlank(attach) ? attachSpec(attach) : undefined;
      const spec = errors.check(createCluster, { ...common, kind, ...(kubernetes ? { kubernetes } : {}) });
      if (spec) create.mutate(spec);
    }
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Name" docs={null} required error={errors.of("name")} hint="Lowercase letters, digits and dashes.">
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="fra-01"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {cluster ? null : (
        <Field label="Kind" docs="clusters" required error={errors.of("kind")} hint={clusterKindWords[kind].line}>
          {(control) => (
            <Select
              {...control}
              value={kind}
              onChange={({ target }) => setKind(clusterKinds.find((each) => each === target.value) ?? kind)}
            >
              {clusterKinds.map((each) => (
                <option key={each} value={each}>
                  {clusterKindWords[each].title}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {isAttachable ? (
        <AttachFields
          draft={attach}
          onChange={setAttach}
          errorOf={(field) => errors.of(`kubernetes.${field}`)}
          mayWait
        />
      ) : null}
      <Field
        label="Region"
        docs="clusterSettings"
        error={errors.of("region")}
        hint="The region where it runs, as its provider names it."
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder="eu-central-1"
            value={region}
            onChange={(event) => setRegion(event.target.value)}
          />
        )}
      </Field>
      <Field label="Labels" docs="clusterSettings" error={errors.of("labels")} hint="One per line, as name=value.">
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            spellCheck={false}
            className="font-mono text-xs"
            placeholder={"environment=production\nteam=edge"}
            value={labelText}
            onChange={(event) => setLabelText(event.target.value)}
          />
        )}
      </Field>
      <FormFoot
        problem={errors.general}
        action={cluster ? "Save" : "Create cluster"}
        busy={create.isPending || update.isPending}
        onCancel={onCancel}
      />
    </Form>
  );
}
