import type { TicketKey } from "@fairlead/domain/exposure";
import { LongText } from "@/components/ui/long-text.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { shortName } from "./describe-tickets.ts";

const current: StatusLook = { word: "Current", shape: "disc", tone: "good" };
const outdated: StatusLook = { word: "Outdated", shape: "half", tone: "warn" };

/** A server's managed key, whether it has the newest ones, and why not. */
export function ManagedKey({ of: key }: { of: TicketKey | null }) {
  if (!key) return <span className="text-muted">none</span>;
  const { name, createdAt, outdatedSince, problem } = key;
  return (
    <>
      <StatusBadge status={outdatedSince ? outdated : current} />
      {outdatedSince ? (
        <span className="text-muted text-xs">
          {" "}
          <Age at={outdatedSince} />
        </span>
      ) : null}
      <span className="flex items-baseline gap-2">
        <span title={name} className="font-mono text-[0.75rem]">
          {shortName(name)}
        </span>
        <span className="text-muted text-xs">
          <Age at={createdAt} />
        </span>
      </span>
      {problem ? (
        <span className="wrap-anywhere block text-muted text-xs">
          <LongText text={problem} />
        </span>
      ) : null}
    </>
  );
}
