"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Checkbox } from "../ui/form/checkbox.tsx";
import { leave } from "../ui/form/unsaved.ts";
import { Kbd } from "../ui/kbd.tsx";
import { Dialog } from "../ui/overlay/dialog.tsx";
import { focusNextPage } from "./keep-focus.tsx";
import { letterKeys } from "./letter-keys.ts";
import { hrefInScope } from "./navigation.ts";
import { openPalette } from "./palette-state.ts";
import { useClusterScope } from "./scope.ts";
import { useDestinations } from "./use-destinations.ts";

/** How long after g the letter may follow. */
const chordMs = 1_200;
const helpEvent = "fairlead:shortcuts";

export function openShortcutsHelp(): void {
  window.dispatchEvent(new Event(helpEvent));
}

/** The global keyboard shortcuts, and the dialog that lists them. */
export function Shortcuts() {
  const router = useRouter();
  const destinations = useDestinations();
  const [clusterId] = useClusterScope();
  const [helpOpen, setHelpOpen] = useState(false);
  const lettersOn = useSyncExternalStore(letterKeys.subscribe, letterKeys.areOn, () => true);
  const chordAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const showHelp = () => setHelpOpen(true);
    function onKey(event: KeyboardEvent) {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!lettersOn || event.metaKey || event.ctrlKey || event.altKey || isBusy(event.target)) return;
      // Compares event timestamps, because a busy page handles the key late.
      const isChord = event.timeStamp - chordAt.current < chordMs;
      chordAt.current = Number.NEGATIVE_INFINITY;
      if (isChord) {
        const destination = destinations.find(({ letter }) => letter === event.key);
        if (!destination) return;
        event.preventDefault();
        const href = hrefInScope(destination, clusterId);
        leave(() => {
          focusNextPage(href);
          router.push(href);
        });
        return;
      }
      if (event.key === "g") chordAt.current = performance.now();
      else if (event.key === "?") showHelp();
      else if (event.key === "/") {
        event.preventDefault();
        focusSearch();
      }
    }
    window.addEventListener("keydown", onKey);
    window.addEventListener(helpEvent, showHelp);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener(helpEvent, showHelp);
    };
  }, [router, destinations, clusterId, lettersOn]);

  return (
    <Dialog open={helpOpen} onOpenChange={setHelpOpen} title="Keyboard shortcuts">
      <ShortcutList
        title="Anywhere"
        rows={[
          { keys: ["⌘ K", "Ctrl K"], text: "Find a page, an action or an object" },
          { keys: ["/"], text: "Search this list" },
          { keys: ["?"], text: "Show shortcuts" },
        ]}
      />
      <ShortcutList
        title="In a list"
        rows={[
          { keys: ["↑", "↓"], text: "Move by row" },
          { keys: ["Page ↑", "Page ↓"], text: "Move by screen" },
          { keys: ["Home", "End"], text: "First and last row" },
          { keys: ["Enter"], text: "Peek at the row" },
          { keys: ["Shift Enter"], text: "Open its page" },
          { keys: ["Space"], text: "Select the row" },
          { keys: ["Esc"], text: "Close the peek" },
        ]}
      />
      <ShortcutList
        title="Go to"
        rows={destinations.map(({ letter, label }) => ({ keys: [`g ${letter}`], text: label }))}
      />
      <label className="mt-4 flex items-center gap-2 text-sm">
        <Checkbox checked={lettersOn} onChange={(event) => letterKeys.set(event.target.checked)} />
        Keys without ⌘ or Ctrl work
      </label>
    </Dialog>
  );
}

function ShortcutList({ title, rows }: { title: string; rows: { keys: string[]; text: string }[] }) {
  return (
    <section className="mt-3 first:mt-0">
      <h3 className="mb-1 text-muted text-xs">{title}</h3>
      <dl className="divide-y text-sm">
        {rows.map(({ keys, text }) => (
          <div key={text} className="flex items-center justify-between gap-4 py-1.5">
            <dt>{text}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The user is typing, or a dialog is open. Letters must not act on the page behind it. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=menu]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** A list marks its search with data-search. On a page without one, the palette opens. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  if (!field) openPalette();
  field?.focus();
  field?.select();
}
