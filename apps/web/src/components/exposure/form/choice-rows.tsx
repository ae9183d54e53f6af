"use client";
import { Ban } from "lucide-react";
import { useId } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { classNames } from "@/components/ui/class-names.ts";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { Radio } from "@/components/ui/form/radio.tsx";

export type Choice<Value extends string> = {
  value: Value;
  title: string;
  summary: string;
  /** Why it can't be chosen, as a sentence. */
  lack?: string | null;
};

/**
 * A list of options, each with a short explanation, or the reason why it can't be chosen. A radio group, so the arrow keys
 * select and skip disabled ones.
 */
export function ChoiceRows<Value extends string>(props: {
  legend: string;
  docs: DocsTopic;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <Fieldset title={props.legend} docs={props.docs} legendClassName="pb-1 font-medium text-sm">
      <div className="flex flex-col">
        {props.choices.map(({ value, title, summary, lack = null }) => {
          const isChosen = value === props.value;
          return (
            <label
              key={value}
              className={classNames(
                "-mx-2 grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2.5 rounded-md px-2 py-1 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent sm:grid-cols-[1rem_6rem_minmax(0,1fr)]",
                lack ? "cursor-not-allowed" : "cursor-pointer hover:bg-hover",
              )}
            >
              <Radio
                name={id}
                value={value}
                checked={isChosen}
                disabled={lack !== null}
                onChange={() => props.onChange(value)}
                className="translate-y-0.5"
                {...(isChosen && props.error ? { "aria-invalid": true, "aria-describedby": `${id}-error` } : {})}
              />
              <span className={classNames(isChosen && "font-medium", lack && "text-muted")}>{title}</span>
              <span className="text-muted max-sm:col-start-2">
                {summary}
                {lack ? (
                  <span className="flex items-start gap-1.5 text-ink">
                    <Ban className="mt-0.5 size-3.5 shrink-0 text-muted" aria-hidden />
                    {lack}
                  </span>
                ) : null}
              </span>
            </label>
          );
        })}
      </div>
      {props.error ? (
        <p id={`${id}-error`} className="pt-1 text-bad text-xs" role="alert">
          {props.error}
        </p>
      ) : null}
    </Fieldset>
  );
}
