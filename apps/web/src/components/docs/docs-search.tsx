"use client";
import { Search } from "lucide-react";
import Form from "next/form";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { Input } from "../ui/form/input.tsx";

/** Searches the documentation. It works without JavaScript; with it, / and ⌘K focus the field. */
export function DocsSearch() {
  const query = useSearchParams().get("q") ?? "";
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isTyping = event.target instanceof HTMLInputElement;
      const isSlash = event.key === "/" && !isTyping && !event.metaKey && !event.ctrlKey && !event.altKey;
      const isFind = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
      if (!isSlash && !isFind) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Form action="/docs" role="search" prefetch={false} className="relative min-w-0 flex-1 sm:max-w-72">
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden />
      <Input
        key={query}
        ref={field}
        type="search"
        name="q"
        maxLength={200}
        defaultValue={query}
        aria-label="Search the documentation"
        placeholder="Search"
        className="pl-8"
      />
    </Form>
  );
}
