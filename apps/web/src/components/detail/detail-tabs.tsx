"use client";
import { parseAsString, useQueryState } from "nuqs";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { PanelContext } from "../ui/form/panel.ts";
import { leave } from "../ui/form/unsaved.ts";
import { nextTab } from "./next-tab.ts";
import { useUnsavedPanels } from "./use-unsaved-panels.ts";

export type DetailTab = {
  id: string;
  label: string;
  /** How many there are, such as backends. */
  count?: number | undefined;
  body: ReactNode;
};

/**
 * The parts of a page about one object. The chosen one is in the URL, and only that is rendered, so the data of the others
 * isn't fetched. A part with input that is not saved stays, hidden: the browser's Back leaves it without a question.
 */
export function DetailTabs({ label, tabs }: { label: string; tabs: readonly DetailTab[] }) {
  const [wanted, setWanted] = useQueryState("tab", parseAsString.withOptions({ history: "push", scroll: false }));
  const panels = useRef<HTMLDivElement>(null);
  const ids = tabs.map(({ id }) => id);
  const [before, setBefore] = useState(() => nextTab(null, wanted, ids));
  const state = nextTab(before, wanted, ids);
  if (state !== before) setBefore(state);
  const chosen = state.shown;
  const unsaved = useUnsavedPanels();
  const list = useRevealed(chosen);
  function choose(id: string) {
    // The URL may have this tab already, from when there was none of that name.
    setBefore({ ...state, shown: id });
    void setWanted(id === state.home ? null : id);
  }
  const shownPanel = () => panels.current?.querySelector("[role=tabpanel][data-state=active]") ?? undefined;
  return (
    <Tabs.Root
      value={chosen}
      // A tab that is only passed with the arrow keys is neither fetched nor a step of the browser's history.
      activationMode="manual"
      onValueChange={(id) => leave(() => choose(id), shownPanel())}
    >
      <Tabs.List
        ref={list}
        aria-label={label}
        className="relative flex gap-1 overflow-x-auto border-b px-2 [scrollbar-width:none] md:px-4 print:hidden"
      >
        {tabs.map(({ id, label: text, count }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className={classNames(
              // The outline is inside, because the list hides what is outside of it.
              "focus-visible:-outline-offset-2 flex h-10 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 px-2 text-muted text-sm",
              "hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink",
            )}
          >
            {text}
            {count === undefined ? null : <span className="tabular font-normal text-muted text-xs">{count}</span>}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <div ref={panels}>
        {tabs.map(({ id, body }) => (
          <Tabs.Content
            key={id}
            value={id}
            {...(unsaved.includes(id) ? { forceMount: true, hidden: id !== chosen } : {})}
            className="flex flex-col gap-8 px-4 py-6 md:px-6"
          >
            <PanelContext value={id}>{body}</PanelContext>
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  );
}

/** useRevealed scrolls a list of tabs that is wider than the screen to the chosen one, without scrolling the page. */
function useRevealed(chosen: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = chosen ? list.current?.querySelector<HTMLElement>("[data-state=active]") : null;
    if (!list.current || !tab) return;
    const { scrollLeft, clientWidth } = list.current;
    const end = tab.offsetLeft + tab.offsetWidth;
    if (tab.offsetLeft < scrollLeft || end > scrollLeft + clientWidth)
      list.current.scrollLeft = tab.offsetLeft - (clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  return list;
}
