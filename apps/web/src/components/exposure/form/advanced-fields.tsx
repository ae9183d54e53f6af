"use client";
import {
  anyEngine,
  deliveries,
  deliveryNames,
  engines,
  packetEngines,
  schedulerNames,
  schedulers,
} from "@fairlead/domain/exposure";
import {
  bestDelivery,
  bestEngine,
  clientAddressWords,
  clientSamplingWords,
  ownScheduler,
} from "@/components/words/delivery.ts";
import { AdvancedSection } from "./advanced-section.tsx";
import { type Choice, ChoiceRows } from "./choice-rows.tsx";
import { describeAdvanced } from "./describe-advanced.ts";
import { type ExposureDraft, hasClientAddress, hasScheduler } from "./draft.ts";
import { HealthCheckFields, healthCheckPaths } from "./health-check-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

const engineChoices: Choice<ExposureDraft["engine"]>[] = [
  { value: anyEngine, ...bestEngine },
  ...packetEngines.map((value) => ({ value, ...engines[value] })),
];
const deliveryChoices: Choice<ExposureDraft["delivery"]>[] = [
  { value: "best", ...bestDelivery },
  ...deliveryNames.map((value) => ({ value, ...deliveries[value] })),
];
const schedulerChoices: Choice<ExposureDraft["scheduler"]>[] = [
  { value: "own", ...ownScheduler },
  ...schedulerNames.map((value) => ({ value, title: value, ...schedulers[value] })),
];
const clientAddressChoices: Choice<ExposureDraft["clientAddress"]>[] = [
  { value: "not-passed", ...clientAddressWords["not-passed"] },
  { value: "proxy-protocol", ...clientAddressWords["proxy-protocol"] },
];
const samplingChoices: Choice<ExposureDraft["clientSampling"]>[] = [
  { value: "off", ...clientSamplingWords.off },
  { value: "on", ...clientSamplingWords.on },
];
const carrying = [
  "strategy.engine",
  "strategy.delivery",
  "strategy.scheduler",
  "strategy.proxyProtocol",
  "strategy.sampleClients",
];
const paths = [...carrying, ...healthCheckPaths];

/** The health check, and how packets are carried. */
export function AdvancedFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  function choose(change: Partial<ExposureDraft>): void {
    form.change(change);
    for (const path of carrying) form.touch(path);
  }
  return (
    <AdvancedSection form={form} summary={describeAdvanced(draft)} paths={paths}>
      <HealthCheckFields form={form} />
      <ChoiceRows
        legend="Engine"
        docs="engines"
        choices={engineChoices}
        value={draft.engine}
        onChange={(engine) => choose({ engine })}
        error={form.error("strategy.engine")}
      />
      {hasScheduler(draft) ? (
        <ChoiceRows
          legend="Scheduler"
          docs="engines"
          choices={schedulerChoices}
          value={draft.scheduler}
          onChange={(scheduler) => choose({ scheduler })}
          error={form.error("strategy.scheduler")}
        />
      ) : null}
      <ChoiceRows
        legend="Delivery"
        docs="engines"
        choices={deliveryChoices}
        value={draft.delivery}
        onChange={(delivery) => choose({ delivery })}
        error={form.error("strategy.delivery")}
      />
      {hasClientAddress(draft) ? (
        <ChoiceRows
          legend="Client's address"
          docs="engines"
          choices={clientAddressChoices}
          value={draft.clientAddress}
          onChange={(clientAddress) => choose({ clientAddress })}
          error={form.error("strategy.proxyProtocol")}
        />
      ) : null}
      <ChoiceRows
        legend="Client sampling"
        docs="clientSampling"
        choices={samplingChoices}
        value={draft.clientSampling}
        onChange={(clientSampling) => choose({ clientSampling })}
        error={form.error("strategy.sampleClients")}
      />
    </AdvancedSection>
  );
}
