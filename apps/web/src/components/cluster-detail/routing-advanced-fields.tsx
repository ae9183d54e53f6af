"use client";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { type AdvancedRouting, advancedFields, describeAdvanced, isOptional } from "./routing-advanced.ts";

type Written = Exclude<keyof AdvancedRouting, "nearOnly">;

const rows: { field: Written; label: string; hint: string; mode: "numeric" | "text" }[] = [
  {
    field: "preference",
    label: "Preference",
    hint: "LOCAL_PREF, for routers of the same AS. 1 is for what drains.",
    mode: "numeric",
  },
  {
    field: "med",
    label: "MED",
    hint: "The lowest is chosen, of one preference. A reflector keeps it from another AS. Empty for none.",
    mode: "numeric",
  },
  {
    field: "communities",
    label: "Communities",
    hint: "Carried by every route, as 65021:100. Blanks part several.",
    mode: "text",
  },
  {
    field: "mostRoutes",
    label: "Most routes",
    hint: "Of IPv4 and IPv6 each. A balancer that offers more is cut off, with all it offers.",
    mode: "numeric",
  },
  {
    field: "mostNextHops",
    label: "Most next hops",
    hint: "That a prefix may go by, in the configuration for routers of your own.",
    mode: "numeric",
  },
  {
    field: "keepaliveSeconds",
    label: "Keepalive",
    hint: "Seconds between two signs of life, a third of the hold time at most. Empty for a third.",
    mode: "numeric",
  },
  {
    field: "keepSeconds",
    label: "Keep routes",
    hint: "Seconds that a router of ours goes on with its routes when every peer is gone.",
    mode: "numeric",
  },
  {
    field: "settleSeconds",
    label: "Settle",
    hint: "Seconds after peers are back, until it drops what they don't tell of.",
    mode: "numeric",
  },
];

/** What has a good default. Closed it says what isn't as usual; a problem inside opens it. */
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
            <Field key={field} label={label} required={!isOptional(field)} error={errorOf(field)} hint={hint}>
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
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside */}
        <label className="flex items-start gap-2 text-sm">
          <Checkbox
            className="mt-0.5 shrink-0"
            checked={written.nearOnly}
            onChange={() => onChange({ ...written, nearOnly: !written.nearOnly })}
          />
          <span>
            Hear neighbours only
            <span className="block text-muted text-xs">
              GTSM: what crossed another router is dropped. Every peer has to have it on, or no session comes up.
            </span>
          </span>
        </label>
      </div>
    </details>
  );
}
