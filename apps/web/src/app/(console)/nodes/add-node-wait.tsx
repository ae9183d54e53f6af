"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain/cluster";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/action/button.tsx";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";

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
  const trpc = useTRPC();
  const { clusterId } = token;
  const tokens = useQuery(
    trpc.enrollmentToken.list.queryOptions({ clusterId, limit: 50 }, { refetchInterval: pollIntervalMs }),
  );
  const used = tokens.data?.items.find(({ id }) => id === token.id);
  const nodeId = used?.nodeId ?? "";
  const { data: node } = useQuery(
    trpc.node.get.queryOptions({ id: nodeId }, { refetchInterval: pollIntervalMs, enabled: nodeId !== "" }),
  );
  // A node that existed before has earlier reports. Only those of the new agent count.
  const reportedAt = node?.agents.find(({ id }) => id === used?.agentId)?.lastReportAt ?? null;

  return (
    <div className="flex flex-col gap-4">
      <CommandLine command={token.command} label="Command to add this node" />
      <p className="text-muted text-sm">
        It contains a secret that is shown only once. It works once:{" "}
        <Until at={token.expiresAt} past="expired" warnMs={5 * 60_000} />.
      </p>
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
        ) : used?.usedAt ? (
          <>
            <Spinner />
            {node
              ? `${node.name} has joined. Waiting for its first report.`
              : "The node has joined. Waiting for its first report."}
          </>
        ) : (
          <>
            <Spinner />
            Waiting for the node to connect.
          </>
        )}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onAnother}>Add another node</Button>
        <Button variant="primary" onClick={onClose}>
          {reportedAt ? "Done" : "Close"}
        </Button>
      </div>
    </div>
  );
}
