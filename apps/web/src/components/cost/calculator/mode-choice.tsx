"use client";
import { classNames } from "@/components/ui/class-names.ts";
import { countOf } from "@/components/words/numbers.ts";
import { type Mode, modes } from "./search-params.ts";

const names: Record<Mode, string> = { quick: "Quick", detailed: "Detailed" };

/** The form to show: traffic, TLS and region only, or every field. Hidden settings still apply, and are counted. */
export function ModeChoice(props: { mode: Mode; details: number; onChoose: (mode: Mode) => void }) {
  const { mode, details, onChoose } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-3">
      <fieldset className="flex rounded-md border p-0.5">
        <legend className="sr-only">Form</legend>
        {modes.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === mode}
            onClick={() => onChoose(each)}
            className={classNames(
              "touch-target h-6 rounded-sm px-2.5 text-xs",
              each === mode ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-hover",
            )}
          >
            {names[each]}
          </button>
        ))}
      </fieldset>
      {mode === "quick" && details > 0 ? (
        <p className="text-muted text-xs">{countOf(details, "more setting")} in Detailed.</p>
      ) : null}
    </div>
  );
}
