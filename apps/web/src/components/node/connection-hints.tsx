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
            It must reach the gateway: <code className="break-all">curl -sk {data.gatewayUrl}</code> ends without output
            if it does, and with exit code 7 or 28 if a firewall or a wrong address is in the way.
          </li>
        ) : null}
      </ul>
    </div>
  );
}
