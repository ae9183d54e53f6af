"use client";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/frame/session.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Shown if another user saved first: who it was, and the options. The user's input is kept until they choose. */
export function ConflictNotice(props: {
  noun: string;
  subjectId: string;
  /** Which version traffic follows, if not the other one. */
  effect?: string;
  onReload: () => void;
  onOverwrite: () => void;
}) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.audit.list.queryOptions(
      { subjectId: props.subjectId, limit: 1 },
      { enabled: useMay("audit:read"), staleTime: 0 },
    ),
  );
  const last = query.data?.items[0];
  return (
    <div
      role="alert"
      // Scrolls into view, because the end of a long form may be out of sight.
      ref={(box) => box?.scrollIntoView({ block: "center" })}
      className="rounded-md border border-warn/50 bg-warn-soft/40 px-4 py-3 text-sm"
    >
      <p className="flex items-center gap-2 font-medium">
        <StatusGlyph shape="triangle" className="text-warn" />
        {last ? (
          <span>
            {last.actorName} changed this {props.noun} <Age at={last.at} />, while you were editing.
          </span>
        ) : (
          `Another user changed this ${props.noun} while you were editing.`
        )}
      </p>
      <p className="mt-1 text-muted">
        Your changes were not saved. {props.effect ?? "Traffic follows the other version."}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={props.onReload}>
          Discard my changes
        </Button>
        <Button size="sm" onClick={props.onOverwrite}>
          Overwrite with my changes
        </Button>
      </div>
    </div>
  );
}
