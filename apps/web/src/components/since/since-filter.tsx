"use client";
import { Check, ChevronDown } from "lucide-react";
import { FilterChip } from "../table/choice-filter.tsx";
import { Button } from "../ui/action/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Menu, MenuItem } from "../ui/overlay/menu.tsx";
import { type Since, sinceLooks, sinceWords } from "./since.ts";

/** Filters a list by time. */
export function SinceFilter({ chosen, onChoose }: { chosen: Since | null; onChoose: (since: Since | null) => void }) {
  const value = chosen ? sinceLooks[chosen].label : null;
  return (
    <FilterChip label="Time" value={value} onClear={() => onChoose(null)}>
      <Menu
        label="Time"
        align="start"
        trigger={
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Filter by Time${value ? `: ${value}` : ""}`}
            className={classNames("h-7", chosen && "rounded-r-none pr-1")}
          >
            <span className={chosen ? "text-muted" : undefined}>Time{chosen ? ":" : null}</span>
            {value ?? <ChevronDown aria-hidden />}
          </Button>
        }
      >
        {sinceWords.map((since) => (
          <MenuItem key={since} onSelect={() => onChoose(since)}>
            <Check className={since === chosen ? undefined : "invisible"} aria-hidden />
            {sinceLooks[since].label}
          </MenuItem>
        ))}
      </Menu>
    </FilterChip>
  );
}
