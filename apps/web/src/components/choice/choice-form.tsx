"use client";
import { choose, requirementNames } from "@fairlead/domain/choice";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { type ChoiceDraft, emptyRequirement, shownPaths, toRequest } from "./draft.ts";
import { RequirementRow } from "./requirement-row.tsx";

/** The maximum of one response. */
const most = 200;

/** The requirements of a choice. It changes nothing. */
export function ChoiceForm({ initial, onChoose }: { initial: ChoiceDraft; onChoose: (draft: ChoiceDraft) => void }) {
  const trpc = useTRPC();
  const [draft, setDraft] = useState(initial);
  const [lacksRequirement, setLacksRequirement] = useState(false);
  const errors = useFormErrors(shownPaths);
  const clusters = useQuery(trpc.cluster.list.queryOptions({ limit: most }));
  const nodes = useQuery(trpc.node.list.queryOptions({ limit: most }));
  return (
    <Form
      failures={errors.failures}
      isUnsaved={false}
      className="flex min-w-0 flex-col gap-4"
      onSubmit={() => {
        const request = toRequest(draft);
        const isEmpty = Object.keys(request.requirements).length === 0;
        setLacksRequirement(isEmpty);
        if (!isEmpty && errors.check(choose, request)) onChoose(draft);
      }}
    >
      <Field label="Choose among" docs={null} required>
        {(control) => (
          <Select
            {...control}
            value={draft.among}
            onChange={({ target }) => {
              const among = target.value === "exposures" ? "exposures" : "clusters";
              setDraft({ ...draft, among, clusterId: "" });
            }}
          >
            <option value="clusters">Clusters</option>
            <option value="exposures">Exposures</option>
          </Select>
        )}
      </Field>
      {draft.among === "exposures" ? (
        <Field label="Cluster" docs={null} error={errors.of("clusterId")}>
          {(control) => (
            <Select
              {...control}
              value={draft.clusterId}
              onChange={({ target }) => setDraft({ ...draft, clusterId: target.value })}
            >
              <option value="">All clusters</option>
              {clusters.data?.items.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ) : null}
      <Field
        label="Latency from"
        docs="latencyFrom"
        hint="Without a node: set-up of connections at the load balancers."
        error={errors.of("from")}
      >
        {(control) => (
          <Select {...control} value={draft.from} onChange={({ target }) => setDraft({ ...draft, from: target.value })}>
            <option value="">The load balancers</option>
            {nodes.data?.items.map(({ id, name, clusterName }) => (
              <option key={id} value={id}>
                {name} · {clusterName}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Fieldset title="Requirements" docs="requirements" legendClassName="font-semibold text-sm">
        {requirementNames.map((name) => (
          <RequirementRow
            key={name}
            name={name}
            draft={draft.requirements[name] ?? emptyRequirement}
            errors={errors}
            onChange={(next) => setDraft({ ...draft, requirements: { ...draft.requirements, [name]: next } })}
          />
        ))}
      </Fieldset>
      <FormProblem
        message={lacksRequirement ? "Mark at least one requirement as preferred or required." : errors.general}
      />
      <Button type="submit" variant="primary" className="self-start">
        Choose
      </Button>
    </Form>
  );
}
