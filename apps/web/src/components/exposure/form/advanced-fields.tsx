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
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import {
  bestDelivery,
  bestEngine,
  clientAddressWords,
  clientSamplingWords,
  ownScheduler,
} from "@/components/words/delivery.ts";
import { type Choice, ChoiceRows } from "./choice-rows.tsx";
import { describeAdvanced } from "./describe-advanced.ts";
import { type ExposureDraft, hasClientAddress, hasScheduler } from "./draft.ts";
import { HealthCheckFields } from "./health-check-fields.tsx";
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
const fields = [
  "port",
  "path",
  "host",
  "statuses",
  "service",
  "send",
  "expect",
  "intervalMs",
  "timeoutMs",
  "rise",
  "fall",
];
const carrying = [
  "strategy.engine",
  "strategy.delivery",
  "strategy.scheduler",
  "strategy.proxyProtocol",
  "strategy.sampleClients",
];
const paths = [...carrying, ...fields.map((name) => `healthCheck.${name}`)];

/** Settings with good defaults. Closed, it shows a summary. An invalid field opens it. */
export function AdvancedFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  const [opened, setOpened] = useState(false);
  const isOpen = opened || paths.some((path) => form.error(path));
  function choose(change: Partial<ExposureDraft>): void {
    form.change(change);
    for (const path of carrying) form.touch(path);
  }
  return (
    <details className="group/advanced" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="-mx-1 flex cursor-pointer list-none flex-wrap items-baseline gap-x-2 rounded-md px-1 py-1 text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 translate-y-0.5 text-muted transition-transform group-open/advanced:rotate-90"
          aria-hidden
        />
        <span className="font-medium">Advanced</span>
        <span className="min-w-0 text-muted group-open/advanced:hidden">{describeAdvanced(draft)}</span>
      </summary>
      <div className="mt-2 ml-1 flex flex-col gap-6 border-l pl-4 md:ml-1.5 md:pl-5">
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
      </div>
    </details>
  );
}
