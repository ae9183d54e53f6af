"use client";
import { costDeliveries, deliveries } from "@fairlead/domain/exposure";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { costDelivery, reachWords } from "@/components/words/adaptive.ts";
import type { AdaptiveDraft } from "./adaptive-draft.ts";
import { type Choice, ChoiceRows } from "./choice-rows.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

const reachChoices: Choice<AdaptiveDraft["clients"]>[] = [
  { value: "inside", ...reachWords.inside },
  { value: "outside", ...reachWords.outside },
];
const deliveryChoices: Choice<AdaptiveDraft["delivery"]>[] = [
  { value: "best", ...costDelivery },
  ...costDeliveries.map((value) => ({ value, ...deliveries[value] })),
];

type Props = { form: ExposureForm; change: (part: Partial<AdaptiveDraft>) => void };

/** Which clients reach the address, and on how many balancers. */
export function ReachFields({ form, change }: Props) {
  const { adaptive } = form.draft;
  return (
    <>
      <ChoiceRows
        legend="Clients"
        docs="adaptive"
        choices={reachChoices}
        value={adaptive.clients}
        onChange={(clients) => change({ clients })}
        error={form.error("strategy.outside")}
      />
      {adaptive.clients === "outside" ? (
        <Field
          label="Balancers"
          docs="adaptive"
          hint="Each on its own node, with agents of the roles balancer and adaptive."
          required
          className="max-w-md"
          error={form.error("strategy.outside.replicas")}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={adaptive.balancers}
              onChange={(event) => change({ balancers: event.target.value })}
              onBlur={() => form.touch("strategy.outside.replicas")}
            />
          )}
        </Field>
      ) : null}
    </>
  );
}

/** How packets of clients outside reach backends. */
export function OutsideDelivery({ form, change }: Props) {
  const { adaptive } = form.draft;
  if (adaptive.clients === "inside") return null;
  return (
    <ChoiceRows
      legend="Delivery"
      docs="engines"
      choices={deliveryChoices}
      value={adaptive.delivery}
      onChange={(delivery) => change({ delivery })}
      error={form.error("strategy.outside.delivery")}
    />
  );
}
