"use client";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { type AdvancedRouting, advancedFields, describeAdvanced, isOptional } from "./routing-advanced.ts";

type Written = Exclude<keyof AdvancedRouting, "nearOnly">;

const rows: { field: Written; label: string; hint: string; mode: "numeric" | "text" }[] = [
  {
    field: "preference",
    label: "Local preference",
    hint: "LOCAL_PREF, for routers of the same AS. Draining routes have 1.",
    mode: "numeric",
  },
  {
    field: "med",
    label: "MED",
    hint: "With equal preference, the lowest MED wins. Reflectors don't send it to another AS. Empty for none.",
    mode: "numeric",
  },
  {
    field: "communities",
    label: "Communities",
    hint: "Added to every route, such as 65021:100. Separate several with blanks.",
    mode: "text",
  },
  {
    field: "mostRoutes",
    label: "Maximum routes",
    hint: "Of IPv4 and IPv6 each. A session with more routes is closed, and all its routes are withdrawn.",
    mode: "numeric",
  },
  {
    field: "mostNextHops",
    label: "Maximum next hops",
    hint: "Per prefix, in the configuration of external routers.",
    mode: "numeric",
  },
  {
    field: "keepaliveSeconds",
    label: "Keepalive",
    hint: "Seconds between keepalives, at most a third of the hold time. Empty for a third.",
    mode: "numeric",
  },
  {
    field: "keepSeconds",
    label: "Retain routes",
    hint: "How many seconds our router agents keep routes after all peers are lost.",
    mode: "numeric",
  },
  {
    field: "settleSeconds",
    label: "Settle time",
    hint: "Seconds after peers are back until stale routes are removed.",
    mode: "numeric",
  },
];

/** Settings with good defaults. Closed, it lists those that differ from the defaults. An invalid field opens it. */
export function RoutingAdvancedFields({
  written,
  onChange,
  errorOf,
}: {
  written: AdvancedRouting;
  onChange: (written: AdvancedRouting) => void;
  errorOf: (field: string) => string | undefined;
}) {
  const [opened, setOpened] = useState(false);
  const isOpen = opened || advancedFields.some((field) => errorOf(field));
  return (
    <details className="group/advanced" open={isOpen} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className="-mx-1 flex cursor-pointer list-none flex-wrap items-baseline gap-x-2 rounded-md px-1 py-1 text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 translate-y-0.5 text-muted transition-transform group-open/advanced:rotate-90"
          aria-hidden
        />
        <span className="font-medium">Advanced</span>
        <span className="min-w-0 text-muted group-open/advanced:hidden">{describeAdvanced(written)}</span>
      </summary>
      <div className="mt-2 ml-1 flex flex-col gap-4 border-l pl-4 md:ml-1.5 md:pl-5">
        <div className="grid gap-4 sm:grid-cols-2">
          {rows.map(({ field, label, hint, mode }) => (
            <Field
              key={field}
              label={label}
              docs="routingSettings"
              required={!isOptional(field)}
              error={errorOf(field)}
              hint={hint}
            >
              {(control) => (
                <Input
                  {...control}
                  inputMode={mode}
                  autoComplete="off"
                  spellCheck={false}
                  value={written[field]}
                  onChange={({ target }) => onChange({ ...written, [field]: target.value })}
                />
              )}
            </Field>
          ))}
        </div>
        <label className="flex items-start gap-2 text-sm">
          <Checkbox
            className="mt-0.5 shrink-0"
            checked={written.nearOnly}
            onChange={() => onChange({ ...written, nearOnly: !written.nearOnly })}
          />
          <span>
            Direct neighbors only
            <span className="block text-muted text-xs">
              GTSM: packets from beyond one hop are dropped. Every peer must enable it, or no session comes up.
            </span>
          </span>
        </label>
      </div>
    </details>
  );
}
