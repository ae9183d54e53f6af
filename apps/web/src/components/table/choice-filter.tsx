"use client";
import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/action/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Checkbox } from "../ui/form/checkbox.tsx";
import { Popover } from "../ui/overlay/popover.tsx";

export type Choice<Word extends string> = { word: Word; label: string; look?: ReactNode };

/** A filter chip: shows the selected values, opens to change them, and has a button to clear it. */
export function ChoiceFilter<Word extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string;
  options: readonly Choice<Word>[];
  chosen: readonly Word[] | null;
  onChoose: (words: Word[] | null) => void;
}) {
  const picked = chosen ?? [];
  const isOn = picked.length > 0;
  const names = options.filter(({ word }) => picked.includes(word)).map((option) => option.label);

  function toggle(word: Word) {
    const next = options.map((option) => option.word).filter((each) => (each === word) !== picked.includes(each));
    onChoose(next.length > 0 ? next : null);
  }

  return (
    <FilterChip label={label} value={isOn ? describe(names) : null} onClear={() => onChoose(null)}>
      <Popover
        label={label}
        className="w-56"
        trigger={
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Filter by ${label}${isOn ? `: ${describe(names)}` : ""}`}
            className={classNames("h-7 max-w-64", isOn && "rounded-r-none pr-1")}
          >
            <span className={isOn ? "text-muted" : undefined}>
              {label}
              {isOn ? ":" : null}
            </span>
            {isOn ? <span className="truncate">{describe(names)}</span> : <ChevronDown aria-hidden />}
          </Button>
        }
      >
        <fieldset>
          <legend className="px-1.5 pb-1 text-muted text-xs">{label}</legend>
          {options.map(({ word, label: name, look }) => (
            <label
              key={word}
              className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-sm px-1.5 text-sm hover:bg-hover"
            >
              <Checkbox checked={picked.includes(word)} onChange={() => toggle(word)} />
              {look ?? name}
            </label>
          ))}
        </fieldset>
      </Popover>
    </FilterChip>
  );
}

/** The outline of a chip, with a clear button while the filter is active. */
export function FilterChip({
  label,
  value,
  onClear,
  children,
}: {
  label: string;
  value: string | null;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        "inline-flex items-center rounded-md border",
        value ? "border-accent/50 bg-accent-soft" : "border-line-strong/60 border-dashed",
      )}
    >
      {children}
      {value ? (
        <button
          type="button"
          aria-label={`Remove the filter ${label}: ${value}`}
          onClick={onClear}
          className="touch-target flex size-7 items-center justify-center rounded-md rounded-l-none text-muted hover:bg-hover hover:text-ink"
        >
          <X className="size-3.5" aria-hidden />
        </button>
      ) : null}
    </span>
  );
}

function describe(names: string[]): string {
  return names.length > 2 ? `${names.length} selected` : names.join(", ");
}
