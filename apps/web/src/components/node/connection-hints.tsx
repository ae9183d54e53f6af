"use client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNowOf } from "@/components/ui/time/now.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** An agent that can connect does so within seconds. */
const silentMs = 60_000;

/** What to check if no agent has connected a minute after its command was shown. */
export function ConnectionHints({ since, children }: { since: Date; children: ReactNode }) {
  const trpc = useTRPC();
  const isLate = useNowOf((now) => now > since.getTime() + silentMs);
  const { data } = useQuery(trpc.controlPlane.get.queryOptions());
  if (!isLate) return null;
  return (
    <div className="text-sm">
      <p className="font-medium">No connection after a minute. Check:</p>
      <ul className="mt-1 ml-4 flex list-disc flex-col gap-1 text-muted">
        {children}
        {data ? (
          <li>
            It must reach <code className="break-all">{data.gatewayUrl}</code>. A firewall in between must allow
            connections to this port.
          </li>
        ) : null}
      </ul>
    </div>
  );
}
