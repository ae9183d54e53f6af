"use client";
import { useId } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { classNames } from "@/components/ui/class-names.ts";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { Radio } from "@/components/ui/form/radio.tsx";

export type Choice<Value extends string> = { value: Value; title: string; summary: string };

/** A list of options, each with a short explanation. A radio group, so the arrow keys select. */
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
        {props.choices.map(({ value, title, summary }) => {
          const isChosen = value === props.value;
          return (
            <label
              key={value}
              className="-mx-2 grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2.5 rounded-md px-2 py-1 text-sm hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent sm:grid-cols-[1rem_6rem_minmax(0,1fr)]"
            >
              <Radio
                name={id}
                value={value}
                checked={isChosen}
                onChange={() => props.onChange(value)}
                className="translate-y-0.5"
                {...(isChosen && props.error ? { "aria-invalid": true, "aria-describedby": `${id}-error` } : {})}
              />
              <span className={classNames(isChosen && "font-medium")}>{title}</span>
              <span className="text-muted max-sm:col-start-2">{summary}</span>
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
