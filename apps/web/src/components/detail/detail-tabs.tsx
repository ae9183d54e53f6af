"use client";
import { parseAsString, useQueryState } from "nuqs";
import { Tabs } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";

export type DetailTab = {
  id: string;
  label: string;
  /** How many there are, such as backends. */
  count?: number | undefined;
  body: ReactNode;
};

/** The parts of a page about one object. The chosen one is in the URL, and only that is rendered. */
export function DetailTabs({ label, tabs }: { label: string; tabs: readonly DetailTab[] }) {
  const [wanted, setWanted] = useQueryState("tab", parseAsString.withOptions({ history: "push", scroll: false }));
  const [first] = tabs;
  const chosen = tabs.some(({ id }) => id === wanted) ? wanted : first?.id;
  return (
    <Tabs.Root value={chosen ?? ""} onValueChange={(id) => void setWanted(id === first?.id ? null : id)}>
      <Tabs.List aria-label={label} className="flex gap-1 overflow-x-auto border-b px-3 md:px-5 print:hidden">
        {tabs.map(({ id, label: text, count }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className={classNames(
              "-mb-px flex items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-2 py-2 text-muted text-sm",
              "hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink",
            )}
          >
            {text}
            {count === undefined ? null : <span className="tabular font-normal text-muted text-xs">{count}</span>}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ id, body }) => (
        <Tabs.Content key={id} value={id} className="flex flex-col gap-8 px-4 py-6 md:px-6">
          {body}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
