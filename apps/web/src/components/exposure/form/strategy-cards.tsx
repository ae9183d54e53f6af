"use client";
import { strategies, strategyTypes } from "@fairlead/domain/exposure";
import { useId } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { Radio } from "@/components/ui/form/radio.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The five strategies, each with its use case. A radio group, so the arrow keys select. */
export function StrategyCards({ form }: { form: ExposureForm }) {
  const name = useId();
  return (
    <fieldset>
      <legend className="sr-only">Strategy</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {strategyTypes.map((type) => {
          const chosen = form.draft.strategy === type;
          return (
            <label
              key={type}
              className={classNames(
                "flex cursor-pointer items-start gap-2.5 rounded-md border bg-raised p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                chosen ? "border-accent bg-accent-soft/50" : "hover:bg-hover",
              )}
            >
              <Radio
                name={name}
                value={type}
                checked={chosen}
                onChange={() => form.change({ strategy: type })}
                className="mt-0.5 shrink-0"
              />
              <span className="text-sm">
                <span className="font-medium">{strategies[type].title}</span>
                <span className="mt-0.5 block text-muted">{strategies[type].when}</span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
