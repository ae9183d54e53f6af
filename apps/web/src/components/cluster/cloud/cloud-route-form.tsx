"use client";
import {
  type CloudRouteMethod,
  cloudRouteMethods,
  cloudRouteRemoved,
  describeCloudRouteEffects,
  updateCloudRoute,
} from "@fairlead/domain/cloud";
import type { Cluster } from "@fairlead/domain/cluster";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { cloudMethodWords } from "@/components/routing/cloud-address-table.tsx";
import { ChangesSection } from "@/components/spec/changes-section.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input, Textarea } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { RemoveSetting } from "../remove-setting.tsx";
import { cloudRouteDifferences } from "./cloud-route-differences.ts";
import { type CloudRouteDraft, draftOf, specOf } from "./cloud-route-draft.ts";

const own = ["method", "region", "routeTables", "elasticAddresses", "vpcId", "endpoint", "credentials"];
const keys = ["credentials.accessKeyId", "credentials.secretAccessKey"];
// The server names the same fields within the cluster.
const fields = [...own, ...keys].flatMap((each) => [each, `cloudRoute.${each}`]);
const wholes = ["routeTables", "elasticAddresses"];

const hints: Record<CloudRouteMethod, string> = {
  route: "A route per address in the given route tables points to the replica's network interface.",
  "secondary-address": "Each address is a secondary private address of the replica's network interface.",
  "elastic-address": "A secondary private address, with an Elastic IP for traffic from the internet.",
};

/** How AWS routes addresses to replicas. A key can be set, but is never shown. */
export function CloudRouteForm({ cluster, onDone }: { cluster: Cluster; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const before = cluster.cloudRoute;
  const [draft, setDraft] = useState(() => draftOf(before));
  const errors = useFormErrors(fields, wholes);
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess(saved) {
        void queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(
          saved.cloudRoute ? `Saved the cloud route of ${saved.name}.` : `Removed the cloud route of ${saved.name}.`,
        );
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  const seen = { id: cluster.id, expectedGeneration: cluster.generation };
  const after = updateCloudRoute.safeParse(specOf(draft)).data;
  const under = (field: string) =>
    errors.of(field) ?? errors.of(`cloudRoute.${field}`) ?? (wholes.includes(field) ? errors.within(field) : undefined);
  const change = (part: Partial<CloudRouteDraft>) => setDraft({ ...draft, ...part });
  type TextField = Exclude<keyof CloudRouteDraft, "method">;
  const line = (
    label: string,
    key: TextField,
    hint: ReactNode,
    more: { optional?: boolean; secret?: boolean } = {},
  ) => {
    const path = key === "accessKeyId" || key === "secretAccessKey" ? `credentials.${key}` : key;
    const whole = key === "accessKeyId" ? under("credentials") : undefined;
    return (
      <Field label={label} docs="cloudRoute" required={!more.optional} error={under(path) ?? whole} hint={hint}>
        {(control) => (
          <Input
            {...control}
            type={more.secret ? "password" : "text"}
            autoComplete={more.secret ? "new-password" : "off"}
            spellCheck={false}
            value={draft[key]}
            onChange={({ target }) => change({ [key]: target.value })}
          />
        )}
      </Field>
    );
  };
  const lines = (label: string, key: "routeTables" | "elasticAddresses", hint: string, example: string) => (
    <Field label={label} docs="cloudRoute" required error={under(key)} hint={hint}>
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          spellCheck={false}
          className="min-h-14 font-mono text-xs"
          placeholder={example}
          value={draft[key]}
          onChange={({ target }) => change({ [key]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const cloudRoute = errors.check(updateCloudRoute, specOf(draft));
        if (cloudRoute) update.mutate({ ...seen, cloudRoute });
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Method" docs="cloudRoute" required error={under("method")} hint={hints[draft.method]}>
          {(control) => (
            <Select
              {...control}
              value={draft.method}
              onChange={({ target }) =>
                change({ method: cloudRouteMethods.find((each) => each === target.value) ?? draft.method })
              }
            >
              {cloudRouteMethods.map((each) => (
                <option key={each} value={each}>
                  {cloudMethodWords[each]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {line("Region", "region", "The AWS region, such as eu-central-1.")}
      </div>
      {draft.method === "route"
        ? lines(
            "Route tables",
            "routeTables",
            "One per line: the tables of the subnets that clients are in.",
            "rtb-0a1b2c3d4e5f60718",
          )
        : null}
      {draft.method === "elastic-address"
        ? lines(
            "Elastic IPs",
            "elasticAddresses",
            "One per line: a service address and the allocation ID of its Elastic IP.",
            "10.0.0.100 eipalloc-0a1b2c3d4e5f60718",
          )
        : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {line(
          "Access key",
          "accessKeyId",
          before
            ? "A key is set and never shown. Leave both fields empty to keep it."
            : "The guide lists the required permissions.",
          { optional: before !== null },
        )}
        {line("Secret", "secretAccessKey", "Never shown again.", { optional: before !== null, secret: true })}
        {line("VPC", "vpcId", "Required if two VPCs have the same addresses.", { optional: true })}
        {line("Endpoint", "endpoint", "Of the EC2 API, if it differs from the region's default.", { optional: true })}
      </div>
      {before && after ? (
        <ChangesSection
          changes={cloudRouteDifferences(before, after)}
          effects={describeCloudRouteEffects(before, after)}
        />
      ) : null}
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {before ? (
          <RemoveSetting
            noun="cloud route"
            clusterName={cluster.name}
            consequence={cloudRouteRemoved}
            onRemove={() => update.mutateAsync({ ...seen, cloudRoute: null })}
          />
        ) : null}
      </FormFoot>
    </Form>
  );
}
