"use client";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classNames } from "../class-names.ts";
import { Input } from "./input.tsx";

export type ComboboxOption = { key: string; label: string; detail?: ReactNode };

/**
 * A text field with a list of suggestions, by the ARIA pattern for comboboxes: any text is allowed. The focus stays in the field;
 * the arrow keys move through the list, Enter selects, Escape closes it.
 */
export function Combobox<Option extends ComboboxOption>({
  control,
  value,
  options,
  listLabel,
  onType,
  onChoose,
  onBlur,
}: {
  control: ComponentProps<"input">;
  value: string;
  options: readonly Option[];
  listLabel: string;
  onType: (text: string) => void;
  onChoose: (option: Option) => void;
  onBlur?: () => void;
}) {
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const isOpen = wanted && options.length > 0;
  const index = isOpen ? options.findIndex(({ key }) => key === active) : -1;
  const idOf = (position: number) => `${listId}-${position}`;
  useEffect(() => {
    if (index >= 0) list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index]);

  function close(): void {
    setWanted(false);
    setActive(null);
  }
  function choose(option: Option): void {
    onChoose(option);
    close();
  }
  function move(step: 1 | -1): void {
    setWanted(true);
    // Between the last option and the first one, none is selected: Enter then keeps the typed text.
    const positions = options.length + 1;
    const next = ((index + 1 + step + positions) % positions) - 1;
    setActive(options[next]?.key ?? null);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const chosen = options[index];
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && chosen) choose(chosen);
    else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
  }
  return (
    <div className="relative">
      <Input
        {...control}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        {...(index >= 0 ? { "aria-activedescendant": idOf(index) } : {})}
        value={value}
        spellCheck={false}
        onChange={(event) => {
          setWanted(true);
          setActive(null);
          onType(event.target.value);
        }}
        onClick={() => setWanted(true)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onBlur?.();
        }}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={listLabel}
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-40 mt-1 max-h-64 overflow-y-auto rounded-md border bg-raised p-1 shadow-float"
      >
        {options.map((option, position) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={option.key}
            id={idOf(position)}
            role="option"
            aria-selected={position === index}
            className={classNames(
              "flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded px-2 py-1 text-sm hover:bg-hover",
              position === index ? "bg-hover" : "",
            )}
            // The field would lose the focus, and close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <span className="min-w-0 break-words">{option.label}</span>
            {option.detail ? <span className="text-muted text-xs">{option.detail}</span> : null}
          </div>
        ))}
      </div>
      <span role="status" className="sr-only">
        {isOpen ? `${options.length} ${options.length === 1 ? "suggestion" : "suggestions"}` : ""}
      </span>
    </div>
  );
}
