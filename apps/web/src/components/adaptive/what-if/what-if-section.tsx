"use client";
import { type AdaptiveDetail, whatIfChange } from "@fairlead/domain/exposure";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPCClient } from "@/trpc/client.tsx";
import { type Draft, emptyDraft, isEmpty, nodesOf, shownPaths, toChange } from "./draft.ts";
import { NodeFields } from "./node-fields.tsx";
import { WhatIfResult } from "./what-if-result.tsx";

type Props = { exposureId: string; adaptive: AdaptiveDetail };

/** Predicts latency and load after a change, from the figures that agents report. It changes nothing. */
export function WhatIfSection({ exposureId, adaptive }: Props) {
  const { exposure } = useTRPCClient();
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [lacksChange, setLacksChange] = useState(false);
  const errors = useFormErrors(shownPaths(draft));
  const prediction = useMutation({
    mutationFn: (change: ReturnType<typeof toChange>) => exposure.whatIf.query({ id: exposureId, ...change }),
    onError: errors.fail,
  });
  const nodes = useMemo(() => nodesOf(adaptive), [adaptive]);
  if (nodes.length === 0) return null;
  return (
    <Section title="What if" docs="whatIf" hint="predicts latency and load, and changes nothing">
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-2">
        <Form
          failures={errors.failures}
          isUnsaved={false}
          className="flex min-w-0 flex-col gap-4"
          onSubmit={() => {
            setLacksChange(isEmpty(draft));
            if (isEmpty(draft)) return;
            const change = errors.check(whatIfChange, toChange(draft));
            if (change) prediction.mutate(toChange(draft));
          }}
        >
          <NodeFields nodes={nodes} draft={draft} errors={errors} onChange={setDraft} />
          <Field
            label="Round trip between nodes, ms"
            docs={null}
            hint="Empty: as measured."
            error={errors.of("roundTripMs")}
            className="max-w-64"
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                className="tabular"
                value={draft.roundTrip}
                onChange={({ target }) => setDraft({ ...draft, roundTrip: target.value })}
              />
            )}
          </Field>
          <FormProblem
            message={lacksChange ? "Enter a change: instances, a request time, or a round trip." : errors.general}
          />
          <Button type="submit" variant="primary" busy={prediction.isPending} className="self-start">
            Predict
          </Button>
        </Form>
        {prediction.data ? <WhatIfResult of={prediction.data} /> : null}
      </div>
    </Section>
  );
}
