"use client";
import { cloudMetricsPermissions, updateCloudMetrics } from "@fairlead/domain/cloud";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { type CloudMetricsDraft, draftOf, specOf } from "./cloud-metrics-draft.ts";

const own = ["region", "monitoringEndpoint", "balancingEndpoint", "credentials"];
const keys = ["credentials.accessKeyId", "credentials.secretAccessKey"];
// The server names the same fields within the cluster.
const fields = [...own, ...keys].flatMap((each) => [each, `cloudMetrics.${each}`]);

/** The access key for reading a cloud's metrics. A key can be set, but is never shown. */
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
            ? `Saved the cloud metrics of ${saved.name}.`
            : `Removed the cloud metrics of ${saved.name}.`,
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
      <Field
        label={label}
        docs={key === "accessKeyId" ? "cloudMetrics" : null}
        required={!more.optional}
        error={under(path) ?? whole}
        hint={hint}
      >
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
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const cloudMetrics = errors.check(updateCloudMetrics, specOf(draft));
        if (cloudMetrics) save(cloudMetrics);
      }}
    >
      {line("Region", "region", "The AWS region, such as eu-central-1.")}
      <div className="grid gap-4 sm:grid-cols-2">
        {line(
          "Access key",
          "accessKeyId",
          before
            ? "A key is set and never shown. Leave both fields empty to keep it."
            : `Allow no more than ${cloudMetricsPermissions.join(" and ")}.`,
          isKept,
        )}
        {line("Secret", "secretAccessKey", "Never shown again.", { ...isKept, secret: true })}
        {line("CloudWatch endpoint", "monitoringEndpoint", "If it differs from the region's default.", {
          optional: true,
        })}
        {line("Load balancing endpoint", "balancingEndpoint", "If it differs from the region's default.", {
          optional: true,
        })}
      </div>
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {before ? (
          <Button busy={update.isPending && update.variables.cloudMetrics === null} onClick={() => save(null)}>
            Remove cloud metrics
          </Button>
        ) : null}
      </FormFoot>
    </Form>
  );
}
