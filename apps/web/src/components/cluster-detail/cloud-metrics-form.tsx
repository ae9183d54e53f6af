"use client";
import { type Cluster, cloudMetricsPermissions, updateCloudMetrics } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { FormFoot } from "@/components/ui/form-foot.tsx";
import { Input } from "@/components/ui/input.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { type CloudMetricsDraft, draftOf, wishOf } from "./cloud-metrics-draft.ts";

const own = ["region", "monitoringEndpoint", "balancingEndpoint", "credentials"];
const keys = ["credentials.accessKeyId", "credentials.secretAccessKey"];
// The server names the same fields within the cluster.
const fields = [...own, ...keys].flatMap((each) => [each, `cloudMetrics.${each}`]);

/** By which key a cloud is asked what its load balancers measured. A key is written, and never shown. */
export function CloudMetricsForm({ cluster, onDone }: { cluster: Cluster; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const before = cluster.cloudMetrics;
  const [draft, setDraft] = useState(() => draftOf(before, cluster.cloudRoute?.region));
  const errors = useFormErrors(fields, []);
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess(saved) {
        void queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(
          saved.cloudMetrics
            ? `The cloud metrics of ${saved.name} are set.`
            : `The cloud of ${saved.name} is asked no more.`,
        );
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  const save = (cloudMetrics: Parameters<typeof update.mutate>[0]["cloudMetrics"]) =>
    update.mutate({ id: cluster.id, expectedGeneration: cluster.generation, cloudMetrics });
  const under = (field: string) => errors.of(field) ?? errors.of(`cloudMetrics.${field}`);
  const line = (
    label: string,
    key: keyof CloudMetricsDraft,
    hint: ReactNode,
    more: { optional?: boolean; secret?: boolean } = {},
  ) => {
    const path = key === "accessKeyId" || key === "secretAccessKey" ? `credentials.${key}` : key;
    const whole = key === "accessKeyId" ? under("credentials") : undefined;
    return (
      <Field label={label} required={!more.optional} error={under(path) ?? whole} hint={hint}>
        {(control) => (
          <Input
            {...control}
            type={more.secret ? "password" : "text"}
            autoComplete={more.secret ? "new-password" : "off"}
            spellCheck={false}
            value={draft[key]}
            onChange={({ target }) => setDraft({ ...draft, [key]: target.value })}
          />
        )}
      </Field>
    );
  };
  const isKept = { optional: before !== null };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const cloudMetrics = errors.check(updateCloudMetrics, wishOf(draft));
        if (cloudMetrics) save(cloudMetrics);
      }}
    >
      {line("Region", "region", "Of AWS, as eu-central-1.")}
      <div className="grid gap-4 sm:grid-cols-2">
        {line(
          "Access key",
          "accessKeyId",
          before
            ? "One is set and is never shown; leave both empty to keep it."
            : `Let it do no more than ${cloudMetricsPermissions.join(" and ")}.`,
          isKept,
        )}
        {line("Secret", "secretAccessKey", "It is never shown again.", { ...isKept, secret: true })}
        {line("Endpoint of CloudWatch", "monitoringEndpoint", "If not the region’s own.", { optional: true })}
        {line("Endpoint of load balancing", "balancingEndpoint", "If not the region’s own.", { optional: true })}
      </div>
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {before ? (
          <Button busy={update.isPending && update.variables.cloudMetrics === null} onClick={() => save(null)}>
            Ask no more
          </Button>
        ) : null}
      </FormFoot>
    </form>
  );
}
