import type { TicketName } from "@fairlead/domain/exposure";
import { Age } from "@/components/ui/time/age.tsx";
import { shortName } from "./describe-tickets.ts";

/** Servers change their keys one at a time, so more than these are former ones. */
const mostShown = 3;

/** The names of a server's ticket keys, with their ages: the current one, and former ones that clients may still have. */
export function KeyNames({ names }: { names: readonly TicketName[] }) {
  if (names.length === 0) return <span className="text-muted">none</span>;
  const more = names.length - mostShown;
  return (
    <ul className="flex flex-col gap-0.5">
      {names.slice(0, mostShown).map(({ name, since }) => (
        <li key={name} className="flex items-baseline gap-2">
          <span title={name} className="font-mono text-[0.75rem]">
            {shortName(name)}
          </span>
          {since ? (
            <span className="text-muted text-xs">
              <Age at={since} />
            </span>
          ) : null}
        </li>
      ))}
      {more > 0 ? <li className="text-muted text-xs">and {more} more</li> : null}
    </ul>
  );
}
