"use client";
import { Command } from "cmdk";
import { BookOpen, CornerDownLeft, Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { leave } from "../ui/form/unsaved.ts";
import { Kbd } from "../ui/kbd.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { focusNextPage } from "./keep-focus.tsx";
import { usePaletteActions } from "./palette-actions.ts";
import { usePaletteDocs } from "./palette-docs.ts";
import { usePaletteFinds } from "./palette-finds.ts";
import { useDestinations } from "./use-destinations.ts";
import { useFirstSelected } from "./use-first-selected.ts";

/** The content of the palette: the input and its results. */
export function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const pages = useDestinations().filter(({ label }) => matches(label, wanted));
  const actions = usePaletteActions().filter(({ label }) => matches(label, wanted));
  const finds = usePaletteFinds(wanted);
  const docs = usePaletteDocs(wanted);
  const selection = useFirstSelected(wanted, [
    ...finds.groups.flatMap((group) => group.items.map((item) => item.id)),
    ...actions.map((action) => action.label),
    ...pages.map((page) => page.href),
    ...docs.map((hit) => hit.href),
  ]);

  // The palette opens before its body is loaded, so nothing could be focused then.
  useEffect(() => input.current?.focus(), []);

  function go(href: string) {
    onDone();
    leave(() => {
      focusNextPage(href);
      router.push(href);
    });
  }

  return (
    <Command shouldFilter={false} loop label="Find" {...selection}>
      <div className="flex items-center gap-2.5 border-b px-4">
        {finds.isSearching ? <Spinner /> : <Search className="size-4 shrink-0 text-muted" aria-hidden />}
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          placeholder="Find a page, an action, an exposure, a node…"
          className="h-12 min-w-0 flex-1 bg-transparent outline-none"
        />
        <Kbd>Esc</Kbd>
      </div>
      <Command.List className="max-h-[min(26rem,60vh)] overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs">
        <Command.Empty className="px-3 py-6 text-muted text-sm">
          {finds.isSearching
            ? "Searching…"
            : finds.failed
              ? "The control plane did not respond."
              : `No results for “${wanted}”.`}
        </Command.Empty>
        {finds.groups.map((group) => (
          <Command.Group key={group.heading} heading={group.heading}>
            {group.items.map((item) => (
              <PaletteItem key={item.id} value={item.id} onSelect={() => go(item.href)}>
                <group.icon className="size-4 shrink-0 text-muted" aria-hidden />
                <span className="min-w-0 truncate">{item.name}</span>
                <span className="ml-auto truncate pl-4 text-muted text-xs">{item.detail}</span>
              </PaletteItem>
            ))}
          </Command.Group>
        ))}
        {actions.length > 0 ? (
          <Command.Group heading="Actions">
            {actions.map((action) => (
              <PaletteItem
                key={action.label}
                value={action.label}
                onSelect={() => {
                  if (action.href) go(action.href);
                  else {
                    onDone();
                    action.run?.();
                  }
                }}
              >
                <action.icon className="size-4 shrink-0 text-muted" aria-hidden />
                {action.label}
              </PaletteItem>
            ))}
          </Command.Group>
        ) : null}
        {pages.length > 0 ? (
          <Command.Group heading="Pages">
            {pages.map(({ href, label, icon: Icon, letter }) => (
              <PaletteItem key={href} value={href} onSelect={() => go(href)}>
                <Icon className="size-4 shrink-0 text-muted" aria-hidden />
                {label}
                <span className="ml-auto">
                  <Kbd>g {letter}</Kbd>
                </span>
              </PaletteItem>
            ))}
          </Command.Group>
        ) : null}
        {docs.length > 0 ? (
          <Command.Group heading="Docs">
            {docs.map((hit) => (
              <PaletteItem key={hit.href} value={hit.href} onSelect={() => go(hit.href)}>
                <BookOpen className="size-4 shrink-0 text-muted" aria-hidden />
                <span className="min-w-0 flex-1 truncate">{hit.name}</span>
              </PaletteItem>
            ))}
          </Command.Group>
        ) : null}
      </Command.List>
    </Command>
  );
}

function PaletteItem({
  value,
  onSelect,
  children,
}: {
  value: string;
  onSelect: () => void;
  children: React.ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="group flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-selected"
    >
      {children}
      <CornerDownLeft className="hidden size-3.5 shrink-0 text-muted group-data-[selected=true]:block" aria-hidden />
    </Command.Item>
  );
}

function matches(label: string, wanted: string): boolean {
  const words = label.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.includes(part));
}
