"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { describeRoutingEffects, routingRemoved, updateClusterRouting } from "@fairlead/domain/routing";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ChangesSection } from "@/components/spec/changes-section.tsx";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input, Textarea } from "@/components/ui/form/input.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { RemoveSetting } from "../remove-setting.tsx";
import { formatPeers, linesOf, parseReflectors, parseRouters } from "./peer-lines.ts";
import { advancedFields, fromAdvanced, toAdvanced } from "./routing-advanced.ts";
import { RoutingAdvancedFields } from "./routing-advanced-fields.tsx";
import { routingDifferences } from "./routing-differences.ts";

const fields = [
  "asn",
  "balancers",
  "reflectors",
  "routers",
  "holdSeconds",
  "detection",
  "drainSeconds",
  "password",
  ...advancedFields,
];
const multiplier = 3;

/** The routing of a cluster: the required fields, and the rest in a closed section. */
export function RoutingForm({ cluster, onDone }: { cluster: Cluster; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const before = cluster.routing;
  const [asn, setAsn] = useState(String(before?.asn ?? 65_021));
  const [balancers, setBalancers] = useState(before?.balancers.join("\n") ?? "");
  const [reflectors, setReflectors] = useState(formatPeers(before?.reflectors ?? []));
  const [routers, setRouters] = useState(formatPeers(before?.routers ?? []));
  const [hold, setHold] = useState(String(before?.holdSeconds ?? 9));
  const [detect, setDetect] = useState(String(before?.detection?.intervalMs ?? ""));
  const [drain, setDrain] = useState(String(before?.drainSeconds ?? 30));
  const [advanced, setAdvanced] = useState(toAdvanced(before));
  const [password, setPassword] = useState("");
  const [isCleared, setCleared] = useState(false);
  const errors = useFormErrors(fields, fields);
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess(saved) {
        void queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(saved.routing ? `Saved the routing of ${saved.name}.` : `Removed the routing of ${saved.name}.`);
        onDone();
      },
      onError: (error) => errors.fail(error),
    }),
  );

  function written(): object {
    const { hasPassword: _, ...kept } = before ?? { hasPassword: false };
    const own = Number(asn);
    return {
      ...kept,
      ...fromAdvanced(advanced),
      asn: own,
      balancers: linesOf(balancers),
      reflectors: parseReflectors(reflectors),
      routers: parseRouters(routers, own),
      holdSeconds: Number(hold),
      detection:
        detect === "" ? null : { intervalMs: Number(detect), multiplier: before?.detection?.multiplier ?? multiplier },
      drainSeconds: Number(drain),
      ...(isCleared ? { password: null } : password !== "" ? { password } : {}),
    };
  }

  function submit() {
    const routing = errors.check(updateClusterRouting, written());
    if (routing) update.mutate({ id: cluster.id, expectedGeneration: cluster.generation, routing });
  }

  const after = updateClusterRouting.safeParse(written()).data;

  /** A list is a single field here, so problems with its entries are shown under it. */
  const under = (field: string) => errors.of(field) ?? errors.within(field);
  const number = (
    label: string,
    field: string,
    value: string,
    set: (text: string) => void,
    hint: string,
    optional = false,
  ) => (
    <Field label={label} docs="routingSettings" required={!optional} error={under(field)} hint={hint}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Field>
  );
  const lines = (
    label: string,
    field: string,
    value: string,
    set: (text: string) => void,
    hint: string,
    example: string,
  ) => (
    <Field label={label} docs="routingSettings" required={field === "balancers"} error={under(field)} hint={hint}>
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          spellCheck={false}
          className="min-h-14 font-mono text-xs"
          placeholder={example}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Field>
  );
  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      {number("AS", "asn", asn, setAsn, "The AS of the balancers and their reflectors.")}
      {lines(
        "Balancer networks",
        "balancers",
        balancers,
        setBalancers,
        "One per line: the networks that balancers connect from.",
        "10.0.0.0/24",
      )}
      {lines(
        "Reflectors",
        "reflectors",
        reflectors,
        setReflectors,
        "One per line, as name and address. Without reflectors, balancers peer with the routers directly.",
        "rr-1 10.0.0.11\nrr-2 10.0.0.12",
      )}
      {lines(
        "Routers",
        "routers",
        routers,
        setRouters,
        "One per line, as name, address, and the AS if it differs. End it with weights if the router uses link bandwidths.",
        "tor-1 10.0.0.1 65100",
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        {number("Hold time", "holdSeconds", hold, setHold, "Seconds without a message until a peer counts as down.")}
        {number("BFD interval", "detection", detect, setDetect, "Milliseconds. Empty disables BFD.", true)}
        {number("Drain", "drainSeconds", drain, setDrain, "Seconds for connections to finish.")}
      </div>
      <Field
        label="Password"
        docs="routingSettings"
        error={under("password")}
        hint={
          before?.hasPassword
            ? "TCP MD5. A password is set and never shown. Leave the field empty to keep it."
            : "TCP MD5. Every peer needs the same one. Never shown again."
        }
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            disabled={isCleared}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      {before?.hasPassword ? (
        <label className="-mt-2 flex items-center gap-2 text-sm">
          <Checkbox checked={isCleared} onChange={() => setCleared(!isCleared)} />
          Remove password
        </label>
      ) : null}
      <RoutingAdvancedFields written={advanced} onChange={setAdvanced} errorOf={under} />
      {before && after ? (
        <ChangesSection changes={routingDifferences(before, after)} effects={describeRoutingEffects(before, after)} />
      ) : null}
      <FormFoot problem={errors.general} action="Save" busy={update.isPending} onCancel={onDone}>
        {before ? (
          <RemoveSetting
            noun="routing"
            clusterName={cluster.name}
            consequence={routingRemoved}
            onRemove={() =>
              update.mutateAsync({ id: cluster.id, expectedGeneration: cluster.generation, routing: null })
            }
          />
        ) : null}
      </FormFoot>
    </Form>
  );
}
