"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { ConnectionHints } from "@/components/node/connection-hints.tsx";
import { LocalAddresses } from "@/components/node/local-addresses.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useNowOf } from "@/components/ui/time/now.ts";
import { Until } from "@/components/ui/time/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { AddNodeSteps } from "./add-node-steps.tsx";

/** Polls in addition to the live stream, because the user is waiting at the machine. */
const pollIntervalMs = 2_000;

export function AddNodeWait({
  token,
  onAnother,
  onClose,
}: {
  token: CreatedEnrollmentToken;
  onAnother: () => void;
  onClose: () => void;
}) {
  const { isUsed, node, reportedAt } = useJoined(token);
  const isExpired = useNowOf((now) => now > token.expiresAt.getTime());
  const role = token.roles[0] ?? "node";
  return (
    <div className="flex flex-col gap-4">
      {isUsed ? null : <LocalAddresses of="machine" />}
      <div className="flex flex-col gap-2">
        <CommandLine command={token.installCommand} label="Command to add this node" wraps />
        <p className="text-muted text-sm">
          It downloads the agent from this control plane, checks it, and starts it as a service. The token is shown only
          once and works once: <Until at={token.expiresAt} past="expired" warnMs={5 * 60_000} />.
        </p>
        <AddNodeSteps token={token} />
      </div>
      <p role="status" className="flex min-h-9 items-center gap-2.5 rounded-md bg-surface px-3 py-2 text-sm">
        {node && reportedAt ? (
          <>
            <StatusGlyph shape="disc" className="text-good" />
            <span>
              <Link href={`/nodes/${node.id}`} className="font-medium text-accent hover:underline">
                {node.name}
              </Link>{" "}
              is connected. It reported <Age at={reportedAt} expectedEveryMs={node.reportIntervalMs} />.
            </span>
          </>
        ) : isUsed ? (
          <>
            <Spinner />
            {node
              ? `${node.name} has joined. Waiting for its first report.`
              : "The node has joined. Waiting for its first report."}
          </>
        ) : isExpired ? (
          <>
            <StatusGlyph shape="cross" className="text-bad" />
            The token expired before a node used it. Create another one.
          </>
        ) : (
          <>
            <Spinner />
            {token.nodeName ? `Waiting for ${token.nodeName} to connect.` : "Waiting for the node to connect."}
          </>
        )}
      </p>
      {isUsed || isExpired ? null : (
        <ConnectionHints since={token.createdAt}>
          <li>
            The agent logs why it can't join: <code className="break-all">journalctl -u fairlead-agent@{role}</code>.
          </li>
          <li>
            An agent that joined before keeps its identity. If that was revoked, delete{" "}
            <code className="break-all">/var/lib/fairlead-agent/{role}</code> and run the command again.
          </li>
        </ConnectionHints>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onAnother}>Add another node</Button>
        <Button variant="primary" onClick={onClose}>
          {reportedAt ? "Done" : "Close"}
        </Button>
      </div>
    </div>
  );
}

/** useJoined returns the node that joined with the token, and when its new agent last reported. */
function useJoined({ id, clusterId }: CreatedEnrollmentToken) {
  const trpc = useTRPC();
  const tokens = useQuery(
    trpc.enrollmentToken.list.queryOptions({ clusterId, limit: 50 }, { refetchInterval: pollIntervalMs }),
  );
  const used = tokens.data?.items.find((each) => each.id === id);
  const nodeId = used?.nodeId ?? "";
  const { data: node } = useQuery(
    trpc.node.get.queryOptions({ id: nodeId }, { refetchInterval: pollIntervalMs, enabled: nodeId !== "" }),
  );
  // A node that existed before has earlier reports. Only those of the new agent count.
  const reportedAt = node?.agents.find((agent) => agent.id === used?.agentId)?.lastReportAt ?? null;
  return { isUsed: Boolean(used?.usedAt), node, reportedAt };
}
