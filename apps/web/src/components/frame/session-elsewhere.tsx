"use client";
import { useQuery } from "@tanstack/react-query";
import { useLive } from "@/live/live-provider.tsx";
import { noteSession } from "@/live/session-state.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { Button } from "../ui/action/button.tsx";
import { StatusGlyph } from "../ui/status/status-badge.tsx";
import { useSession } from "./session.tsx";
import { useSwitchOrganization } from "./use-switch-organization.ts";

/** Shown if another tab has switched the organisation. The page stays, with all input. */
export function SessionElsewhere() {
  const { state } = useLive();
  return state === "elsewhere" ? <Elsewhere /> : null;
}

function Elsewhere() {
  const trpc = useTRPC();
  const shown = useSession().organization;
  const there = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 0 }));
  const goBack = useSwitchOrganization(() => noteSession("here"));
  const name = there.data?.organization.name ?? "another organisation";
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-warn-soft px-4 py-2 text-sm md:px-6"
    >
      <StatusGlyph shape="triangle" className="text-warn" />
      <p className="min-w-0 flex-1 basis-60">
        You switched to {name} in another tab. This page shows {shown.name}: it no longer updates, and changes are
        rejected.
      </p>
      <Button size="sm" busy={goBack.isPending} onClick={() => goBack.mutate({ organizationId: shown.id })}>
        Go back to {shown.name}
      </Button>
      <Button asChild size="sm" variant="primary">
        <a href="/">Show {name}</a>
      </Button>
    </div>
  );
}
