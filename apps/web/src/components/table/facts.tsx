import type { ReactNode } from "react";

/** Names and values of an object. Rows without a value are omitted. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="divide-y text-sm">
      {rows
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className="grid grid-cols-[8rem_minmax(0,1fr)] gap-3 py-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words [&_a]:text-accent">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
