import type { ReactNode } from "react";
import type { Picked } from "./use-selection.ts";

type Props = {
  label: string;
  rows: readonly Picked[];
  /** What happened to a row, after its name. */
  resultOf?: (row: Picked) => ReactNode;
};

/** Lists every name, because a large selection may contain a row that was picked by mistake. */
export function PickedNames({ label, rows, resultOf }: Props) {
  return (
    <ul
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll it
      tabIndex={0}
      className="max-h-40 overflow-y-auto rounded-md border bg-surface px-3 py-1.5 text-sm"
    >
      {rows.map((row) => (
        <li key={row.id} className={resultOf ? "flex flex-wrap gap-x-3" : "truncate"}>
          {resultOf ? <span className="min-w-0 truncate">{row.name}</span> : row.name}
          {resultOf?.(row)}
        </li>
      ))}
    </ul>
  );
}
