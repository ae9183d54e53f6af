"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { machineSkus, providerNames, providers, runsAs as runsAsSchema } from "@fairlead/domain/cost";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { type RunsAsDraft, runsAsDraftOf, runsAsSpecOf } from "./runs-as-draft.ts";

const own = ["provider", "region", "machine", "machineShare", "zones", "responseShare", "internetShare"];
const decimal = new Set(["machineShare", "zones", "responseShare", "internetShare"]);
// The server names the same fields within the cluster.
const fields = own.flatMap((each) => [each, `runsAs.${each}`]);

/** Where a cluster runs and on what. A missing value makes a cost unknown, never free. */
export function RunsAsForm({ cluster, onDone }: { cluster: Cluster; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sizesId = useId();
  const [draft, setDraft] = useState(() => runsAsDraftOf(cluster));
  const errors = useFormErrors(fields);
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess(saved) {
        void queryClient.invalidateQueries(trpc.cluster.pathFilter());
        void queryClient.invalidateQueries(trpc.cost.pathFilter());
        notify(
          saved.runsAs
            ? `Saved the provider and machines of ${saved.name}.`
            : `Cleared the provider and machines of ${saved.name}.`,
        );
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  const save = (runsAs: Parameters<typeof update.mutate>[0]["runsAs"]) =>
    update.mutate({ id: cluster.id, expectedGeneration: cluster.generation, runsAs });
  const line = (label: string, key: Exclude<keyof RunsAsDraft, "provider">, hint: string, isRequired = false) => (
    <Field
      label={label}
      docs="runsAs"
      required={isRequired}
      error={errors.of(key) ?? errors.of(`runsAs.${key}`)}
      hint={hint}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          {...(key === "machine" ? { list: sizesId } : {})}
          {...(decimal.has(key) ? { inputMode: "decimal" } : {})}
          value={draft[key]}
          onChange={({ target }) => setDraft({ ...draft, [key]: target.value })}
        />
      )}
    </Field>
  );
  const isOwn = draft.provider === "own";
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = errors.check(runsAsSchema, runsAsSpecOf(draft));
        if (spec) save(spec);
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Provider" docs="runsAs" required error={errors.of("provider") ?? errors.of("runsAs.provider")}>
          {(control) => (
            <Select
              {...control}
              value={draft.provider}
              onChange={({ target }) =>
                setDraft({ ...draft, provider: providerNames.find((each) => each === target.value) ?? draft.provider })
              }
            >
              {providerNames.map((each) => (
                <option key={each} value={each}>
                  {each === "own" ? "Your own machines" : providers[each].title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {line(
          "Region",
          "region",
          isOwn ? "any, unless the price book names one." : "As the provider names it, such as eu-central-1.",
          true,
        )}
        {line(
          "Balancer machines",
          "machine",
          isOwn
            ? "The name of a machine in the price book."
            : "The machine type, such as c7g.large. Only if self-hosted balancers run here.",
        )}
        {line("Share of each machine, %", "machineShare", "The part that is reserved for balancers.", true)}
        {line("Zones", "zones", "Availability zones per cloud balancer.", true)}
        {line(
          "Outbound traffic, %",
          "responseShare",
          "Used if it isn't measured because replies bypass balancers (DSR).",
        )}
        {line("Internet share, %", "internetShare", "The part that is charged as internet traffic.", true)}
      </div>
      <datalist id={sizesId}>
        {(isOwn ? [] : machineSkus(draft.provider)).map((sku) => (
          <option key={sku} value={sku} />
        ))}
      </datalist>
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {cluster.runsAs ? (
          <Button busy={update.isPending && update.variables.runsAs === null} onClick={() => save(null)}>
            Clear setting
          </Button>
        ) : null}
      </FormFoot>
    </Form>
  );
}
