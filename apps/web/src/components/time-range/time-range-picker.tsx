"use client";
import { Check, ChevronDown, Clock } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/action/button.tsx";
import { classNames } from "@/components/ui/class-names.ts";
import { Popover } from "@/components/ui/overlay/popover.tsx";
import { CustomRangeForm } from "./custom-range-form.tsx";
import { describeRange } from "./describe-range.ts";
import { presets, presetTitles, type TimeRange } from "./time-range.ts";
import { useTimeRange } from "./use-time-range.ts";

/** Selects the time range of all charts of the page. */
export function TimeRangePicker() {
  const [range, setRange] = useTimeRange();
  const [open, setOpen] = useState(false);
  const description = describeRange(range);
  function choose(next: TimeRange): void {
    setRange(next);
    setOpen(false);
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Time range"
      align="end"
      className="w-72 p-0"
      trigger={
        <Button size="sm" aria-label={`Time range: ${description}`} className="max-w-full">
          <Clock aria-hidden />
          <span className="tabular truncate max-sm:hidden">{description}</span>
          <span className="tabular sm:hidden">{range.kind === "relative" ? range.preset : "fixed"}</span>
          <ChevronDown aria-hidden className="text-muted" />
        </Button>
      }
    >
      <ul className="p-1">
        {presets.map((preset) => {
          const chosen = range.kind === "relative" && range.preset === preset;
          return (
            <li key={preset}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => choose({ kind: "relative", preset })}
                className={classNames(
                  "flex h-8 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover",
                  chosen && "font-medium",
                )}
              >
                <span className="flex-1">{presetTitles[preset]}</span>
                <span className="font-mono text-muted text-xs">{preset}</span>
                <Check aria-hidden className={classNames("size-4", !chosen && "invisible")} />
              </button>
            </li>
          );
        })}
      </ul>
      <CustomRangeForm range={range} onChoose={choose} />
    </Popover>
  );
}
