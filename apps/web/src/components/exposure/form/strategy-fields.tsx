"use client";
import { providers, strategyProviders } from "@fairlead/domain/cost";
import { addressingNames, addressings, findAddressingLack, reachedBy } from "@fairlead/domain/exposure";
import type { ComponentProps } from "react";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { AdaptiveFields } from "./adaptive-fields.tsx";
import { AdvancedFields } from "./advanced-fields.tsx";
import {
  exposureDraft,
  hasInstanceBalancers,
  hasNamedBalancer,
  hasOwnAddresses,
  hasServiceAddresses,
} from "./draft.ts";
import { HealthCheckFields } from "./health-check-fields.tsx";
import { PlacementFields } from "./placement-fields.tsx";
import { PoolField } from "./pool-field.tsx";
import { SessionFields } from "./session-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

const { shape } = exposureDraft;

/** The fields of the selected strategy. */
export function StrategyFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  switch (draft.strategy) {
    case "per-replica":
      return (
        <div className="flex flex-col gap-4">
          <AddressingField form={form} />
          {hasInstanceBalancers(draft) || hasNamedBalancer(draft) ? (
            <>
              <OwnBalancerFields form={form} />
              {hasNamedBalancer(draft) ? <ServerNamesField form={form} /> : null}
              <HealthCheckFields form={form} />
            </>
          ) : null}
          {hasOwnAddresses(draft) ? <LastingFields form={form} /> : null}
        </div>
      );
    case "ecmp":
      return (
        <div className="flex flex-col gap-4">
          <OwnBalancerFields form={form} />
          <PlacementFields form={form} />
          <AdvancedFields form={form} />
        </div>
      );
    case "session":
      return (
        <div className="flex flex-col gap-4">
          <OwnBalancerFields form={form} />
          <SessionFields form={form} />
        </div>
      );
    case "adaptive":
      return (
        <div className="flex flex-col gap-4">
          <AdaptiveFields form={form} />
        </div>
      );
    case "cloud":
      return <CloudFields form={form} />;
    default:
      return draft.strategy satisfies never;
  }
}

function AddressingField({ form }: { form: ExposureForm }) {
  const reached = form.cluster ? reachedBy(form.cluster) : null;
  return (
    <Field label="Addresses" docs="addresses" required className="max-w-md" error={form.error("strategy.addressing")}>
      {(control) => (
        <Select
          {...control}
          value={form.draft.addressing}
          onChange={(event) => form.change({ addressing: shape.addressing.parse(event.target.value) })}
        >
          {addressingNames.map((name) => {
            const lack = reached && findAddressingLack(reached, name);
            return (
              <option key={name} value={name} disabled={lack !== null}>
                {addressings[name].summary}
                {lack ? ` · ${lack.message}` : ""}
              </option>
            );
          })}
        </Select>
      )}
    </Field>
  );
}

function ServerNamesField({ form }: { form: ExposureForm }) {
  return (
    <Field
      label="Zone of server names"
      docs="addresses"
      hint="TLS clients use instance.zone as the server name, such as shop-0.games.example.com."
      required
      className="max-w-md"
      error={form.error("strategy.dnsZone")}
    >
      {(control) => <ZoneInput control={control} form={form} />}
    </Field>
  );
}

/** How long the address of a missing instance is kept, and its name outside. */
function LastingFields({ form }: { form: ExposureForm }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SecondsField
        form={form}
        field="keepSeconds"
        label="Address retention, seconds"
        hint="For a missing instance that may return. Five minutes if empty."
        usual="300"
      />
      {hasServiceAddresses(form.draft) ? (
        <>
          <SecondsField
            form={form}
            field="drainSeconds"
            label="Drain time, seconds"
            hint="Before the address of a running instance is removed. Ten seconds if empty."
            usual="10"
          />
          <Field
            label="Zone of DNS names"
            docs="addresses"
            hint="external-dns, if it runs in the cluster, creates the name instance.zone."
            error={form.error("strategy.dnsZone")}
          >
            {(control) => <ZoneInput control={control} form={form} />}
          </Field>
        </>
      ) : null}
    </div>
  );
}

type SecondsFieldProps = {
  form: ExposureForm;
  field: "keepSeconds" | "drainSeconds";
  label: string;
  hint: string;
  usual: string;
};

function SecondsField({ form, field, label, hint, usual }: SecondsFieldProps) {
  const path = `strategy.${field}`;
  return (
    <Field label={label} hint={hint} docs="addresses" error={form.error(path)}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          placeholder={usual}
          value={form.draft[field]}
          onChange={(event) => form.change({ [field]: event.target.value })}
          onBlur={() => form.touch(path)}
        />
      )}
    </Field>
  );
}

function ZoneInput({ control, form }: { control: ComponentProps<"input">; form: ExposureForm }) {
  return (
    <Input
      {...control}
      autoComplete="off"
      spellCheck={false}
      placeholder="games.example.com"
      value={form.draft.dnsZone}
      onChange={(event) => form.change({ dnsZone: event.target.value })}
      onBlur={() => form.touch("strategy.dnsZone")}
    />
  );
}

function OwnBalancerFields({ form }: { form: ExposureForm }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Field
        label="Replicas"
        docs="replicas"
        hint="Copies of the load balancer, each on its own node."
        required
        error={form.error("strategy.replicas")}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={form.draft.replicas}
            onChange={(event) => form.change({ replicas: event.target.value })}
            onBlur={() => form.touch("strategy.replicas")}
          />
        )}
      </Field>
      <PoolField form={form} />
    </div>
  );
}

function CloudFields({ form }: { form: ExposureForm }) {
  const { draft } = form;
  return (
    <div className="grid max-w-md gap-4 sm:grid-cols-2">
      <Field label="Provider" docs="strategies" required>
        {(control) => (
          <Select
            {...control}
            value={draft.provider}
            onChange={(event) => form.change({ provider: shape.provider.parse(event.target.value) })}
          >
            {strategyProviders.map((name) => (
              <option key={name} value={name}>
                {providers[name].title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Reachable from" docs="cloudBalancers" required>
        {(control) => (
          <Select
            {...control}
            value={draft.scheme}
            onChange={(event) => form.change({ scheme: shape.scheme.parse(event.target.value) })}
          >
            <option value="public">the internet</option>
            <option value="internal">the cloud network only</option>
          </Select>
        )}
      </Field>
    </div>
  );
}
