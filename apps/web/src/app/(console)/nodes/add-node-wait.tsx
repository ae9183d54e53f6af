"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { Age } from "@/components/ui/age.tsx";
import { Button } from "@/components/ui/button.tsx";
import { CommandLine } from "@/components/ui/command-line.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status-badge.tsx";
import { Until } from "@/components/ui/until.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Asked on top of the live stream, because somebody is standing at the machine and waiting. */
const askAgainMs = 2_000;

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
    trpc.enrollmentToken.list.queryOptions({ clusterId, limit: 50 }, { refetchInterval: askAgainMs }),
  );
  const used = tokens.data?.items.find(({ id }) => id === token.id);
  const nodeId = used?.nodeId ?? "";
  const { data: node } = useQuery(
    trpc.node.get.queryOptions({ id: nodeId }, { refetchInterval: askAgainMs, enabled: nodeId !== "" }),
  );
  // A node that was known before has reports of before: only those of the agent that came now count.
  const reportedAt = node?.agents.find(({ id }) => id === used?.agentId)?.lastReportAt ?? null;

  return (
    <div className="flex flex-col gap-4">
      <CommandLine command={token.command} label="The line that adds this node" />
      <p className="text-muted text-sm">
        It holds a secret that is shown only now. It works once:{" "}
        <Until at={token.expiresAt} past="it has expired" warnMs={5 * 60_000} />.
      </p>
      <p role="status" className="flex min-h-9 items-center gap-2.5 rounded-md bg-surface px-3 py-2 text-sm">
        {node && reportedAt ? (
          <>
            <StatusGlyph shape="disc" className="text-good" />
            <span>
              <Link href={`/nodes/${node.id}`} className="font-medium text-accent hover:underline">
                {node.name}
              </Link>{" "}
              is here. It reported <Age at={reportedAt} expectedEveryMs={node.reportIntervalMs} />.
            </span>
          </>
        ) : used?.usedAt ? (
          <>
            <Spinner />
            {node
              ? `${node.name} has joined. Waiting for its first report.`
              : "It has joined. Waiting for its first report."}
          </>
        ) : (
          <>
            <Spinner />
            Waiting for the machine to call.
          </>
        )}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onAnother}>Add another</Button>
        <Button variant="primary" onClick={onClose}>
          {reportedAt ? "Done" : "Close"}
        </Button>
      </div>
    </div>
  );
}
