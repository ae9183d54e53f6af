"use client";
import { useQuery } from "@tanstack/react-query";
import { DocsLink } from "@/components/docs/docs-link.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/**
 * Shown where other machines can't reach this control plane, before and after a token is created. Pods get the agent from
 * an image, so that only the gateway concerns them.
 */
export function LocalAddresses({ of }: { of: "machine" | "pod" }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.controlPlane.get.queryOptions());
  const isUrlLocal = of === "machine" && data?.isUrlLocal;
  if (!data || !(data.isGatewayLocal || isUrlLocal)) return null;
  return (
    <div role="note" className="rounded-md border border-warn/50 bg-warn-soft/40 px-3 py-2 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <StatusGlyph shape="triangle" className="text-warn" />
        <span>
          {data.isGatewayLocal
            ? `Agents on other machines can't reach ${data.gatewayUrl}`
            : `Other machines can't download the agent from ${data.url}`}
        </span>
      </p>
      <p className="mt-1 text-muted">
        {data.isGatewayLocal ? (
          <>
            Set <code>FAIRLEAD_GATEWAY_URL</code>
            {isUrlLocal ? (
              <>
                {" "}
                and <code>FAIRLEAD_URL</code>
              </>
            ) : null}{" "}
            to addresses that they can reach, or start with <code>HOST=0.0.0.0</code>, and restart the control plane.
          </>
        ) : (
          <>
            Set <code>FAIRLEAD_URL</code> to an address that they can reach, and restart the control plane.
          </>
        )}{" "}
        {of === "machine" ? "On the machine of the control plane, the command works. " : ""}
        <DocsLink topic="controlPlaneAddresses" />
      </p>
    </div>
  );
}
