"use client";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "../ui/form/input.tsx";

const settleMs = 180;

/** The search of a list; "/" focuses it. It queries the server shortly after the user stops typing. */
export function SearchField({
  value,
  label,
  onSearch,
}: {
  value: string;
  label: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  // Shows a value that changed elsewhere, such as by "clear filters" or the back button.
  if (value !== known) {
    setKnown(value);
    setText(value);
  }

  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      setKnown(text);
      onSearch(text);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);

  return (
    <search className="relative flex min-w-40 flex-1 basis-56 sm:max-w-72">
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden />
      <Input
        ref={field}
        data-search
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          if (text) setText("");
          else field.current?.blur();
        }}
        className="px-8"
      />
      {text ? (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            setText("");
            field.current?.focus();
          }}
          className="touch-target absolute top-1 right-1 flex size-6 items-center justify-center rounded-sm text-muted hover:bg-hover"
        >
          <X className="size-4" aria-hidden />
        </button>
      ) : null}
    </search>
  );
}
