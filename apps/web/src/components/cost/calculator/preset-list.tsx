"use client";
import { classNames } from "@/components/ui/class-names.ts";
import { type Preset, presets } from "./presets.ts";
import { type CalculatorParams, paramsOf } from "./search-params.ts";

/** Example profiles: as cards before the first input, then as a row of names. */
export function PresetList({
  params,
  isStart,
  onChoose,
}: {
  params: CalculatorParams;
  isStart: boolean;
  onChoose: (preset: Preset) => void;
}) {
  return (
    <ul
      aria-label="Examples"
      className={isStart ? "grid gap-3 sm:grid-cols-2 lg:grid-cols-5" : "flex flex-wrap gap-1.5 print:hidden"}
    >
      {presets.map((preset) => (
        <li key={preset.name} className="flex">
          <button
            type="button"
            aria-pressed={isChosen(preset, params)}
            onClick={() => onChoose(preset)}
            className={classNames(
              "touch-target rounded-md border text-left hover:bg-hover aria-pressed:border-accent/50 aria-pressed:bg-accent-soft",
              isStart ? "flex w-full flex-col gap-1 bg-raised p-4" : "h-7 px-2 text-xs",
            )}
          >
            <span className="font-medium">{preset.name}</span>
            {isStart ? <span className="text-muted text-sm">{preset.summary}</span> : null}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Whether every field of the profile matches the preset. The compared options and the mode may differ. */
function isChosen(preset: Preset, params: CalculatorParams): boolean {
  const { compare: _, mode: __, ...wanted } = paramsOf(preset);
  const unset: Partial<Record<keyof CalculatorParams, string>> = { protocol: "tcp", tls: "none", exposedAs: "one" };
  return Object.entries(wanted).every(([name, value]) => {
    const field = name as keyof typeof wanted;
    return String(params[field]) === String(value ?? unset[field] ?? "");
  });
}
