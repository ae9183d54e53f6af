import type { Picked } from "./use-selection.ts";

/** Lists every name, because a large selection may contain a row that was picked by mistake. */
export function PickedNames({ label, rows }: { label: string; rows: readonly Picked[] }) {
  return (
    <ul
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll it
      tabIndex={0}
      className="max-h-40 overflow-y-auto rounded-md border bg-surface px-3 py-1.5 text-sm"
    >
      {rows.map(({ id, name }) => (
        <li key={id} className="truncate">
          {name}
        </li>
      ))}
    </ul>
  );
}
