"use client";
import { useId } from "react";
import { classNames } from "@/components/ui/class-names.ts";
import { strategyWords } from "@/components/words/strategies.ts";
import { strategyChoices } from "./strategy-choices.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The five ways of exposing, each with when to use it. A radio group, so the arrow keys choose. */
export function StrategyCards({ form }: { form: ExposureForm }) {
  const name = useId();
  return (
    <fieldset>
      <legend className="sr-only">Strategy</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {strategyChoices.map((choice) => {
          const chosen = form.draft.strategy === choice.type;
          return (
            <label
              key={choice.type}
              className={classNames(
                "flex cursor-pointer items-start gap-2.5 rounded-md border bg-raised p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                chosen ? "border-accent bg-accent-soft/50" : "hover:bg-hover",
              )}
            >
              <input
                type="radio"
                name={name}
                value={choice.type}
                checked={chosen}
                onChange={() => form.change({ strategy: choice.type })}
                className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
              />
              <span className="text-sm">
                <span className="font-medium">{strategyWords[choice.type].title}</span>
                <span className="mt-0.5 block text-muted">{choice.when}</span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
