"use client";
import { useId } from "react";
import { classNames } from "@/components/ui/class-names.ts";

export type Choice<Value extends string> = { value: Value; title: string; line: string };

/** A few choices under each other, each with the sentence that helps to choose. A radio group, so the arrow keys choose. */
export function ChoiceRows<Value extends string>(props: {
  legend: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="pb-1 font-medium text-sm">{props.legend}</legend>
      <div className="flex flex-col">
        {props.choices.map(({ value, title, line }) => {
          const isChosen = value === props.value;
          return (
            <label
              key={value}
              className="-mx-2 grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2.5 rounded-md px-2 py-1 text-sm hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent sm:grid-cols-[1rem_6rem_minmax(0,1fr)]"
            >
              <input
                type="radio"
                name={id}
                value={value}
                checked={isChosen}
                onChange={() => props.onChange(value)}
                className="size-4 translate-y-0.5 accent-accent outline-none"
                {...(isChosen && props.error ? { "aria-invalid": true, "aria-describedby": `${id}-error` } : {})}
              />
              <span className={classNames(isChosen && "font-medium")}>{title}</span>
              <span className="text-muted max-sm:col-start-2">{line}</span>
            </label>
          );
        })}
      </div>
      {props.error ? (
        <p id={`${id}-error`} className="pt-1 text-bad text-xs" role="alert">
          {props.error}
        </p>
      ) : null}
    </fieldset>
  );
}
