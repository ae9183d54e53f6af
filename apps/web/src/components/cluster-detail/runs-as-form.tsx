"use client";
import { type Cluster, machineSkus, providerNames, providers, runsAs as runsAsSchema } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { FormFoot } from "@/components/ui/form-foot.tsx";
import { Input } from "@/components/ui/input.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { Select } from "@/components/ui/select.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { type RunsAsDraft, runsAsDraftOf, runsAsWishOf } from "./runs-as-draft.ts";

const own = ["provider", "region", "machine", "machineShare", "zones", "responseShare", "internetShare"];
const decimal = new Set(["machineShare", "zones", "responseShare", "internetShare"]);
// The server names the same fields within the cluster.
const fields = own.flatMap((each) => [each, `runsAs.${each}`]);

/** Where a cluster runs and on what. An answer that is left out leaves a cost unknown, never free. */
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
          saved.runsAs ? `What ${saved.name} runs as is told.` : `Nobody says any more what ${saved.name} runs as.`,
        );
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );
  const save = (runsAs: Parameters<typeof update.mutate>[0]["runsAs"]) =>
    update.mutate({ id: cluster.id, expectedGeneration: cluster.generation, runsAs });
  const line = (label: string, key: Exclude<keyof RunsAsDraft, "provider">, hint: string, isRequired = false) => (
    <Field label={label} required={isRequired} error={errors.of(key) ?? errors.of(`runsAs.${key}`)} hint={hint}>
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
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const wish = errors.check(runsAsSchema, runsAsWishOf(draft));
        if (wish) save(wish);
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Provider" required error={errors.of("provider") ?? errors.of("runsAs.provider")}>
          {(control) => (
            <Select
              {...control}
              value={draft.provider}
              onChange={({ target }) =>
                setDraft({ ...draft, provider: providers.find((each) => each === target.value) ?? draft.provider })
              }
            >
              {providers.map((each) => (
                <option key={each} value={each}>
                  {each === "own" ? "Machines of your own" : providerNames[each]}
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
          "Machines of our balancers",
          "machine",
          isOwn
            ? "The name of a machine in the price book."
            : "Their size, such as c7g.large. Only where balancers of ours run.",
        )}
        {line("Share of each machine, %", "machineShare", "How much of it is there for balancers.", true)}
        {line("Zones", "zones", "Availability zones that a bought balancer is in.", true)}
        {line(
          "Traffic out to clients, %",
          "responseShare",
          "Where that is not measured, because answers pass balancers by.",
        )}
        {line("Of that to the internet, %", "internetShare", "What of it is paid for as that, where it passes.", true)}
      </div>
      <datalist id={sizesId}>
        {(isOwn ? [] : machineSkus(draft.provider)).map((sku) => (
          <option key={sku} value={sku} />
        ))}
      </datalist>
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {cluster.runsAs ? (
          <Button busy={update.isPending && update.variables.runsAs === null} onClick={() => save(null)}>
            Forget
          </Button>
        ) : null}
      </FormFoot>
    </form>
  );
}
