"use client";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "@/components/frame/session.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Button } from "@/components/ui/button.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Somebody else was faster: who it was, and the way on. Nothing of what was typed is lost until that is chosen. */
export function ConflictNotice(props: {
  noun: string;
  subjectId: string;
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
      // It appears where nobody looks: at the end of a long form.
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
          `Somebody changed this ${props.noun} while you were editing.`
        )}
      </p>
      <p className="mt-1 text-muted">Nothing of yours was saved; traffic follows their version.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={props.onReload}>
          Take their version, drop mine
        </Button>
        <Button size="sm" onClick={props.onOverwrite}>
          Keep mine and save over theirs
        </Button>
      </div>
    </div>
  );
}
