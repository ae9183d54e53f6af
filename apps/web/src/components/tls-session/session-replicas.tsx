import { RowsTable } from "@/components/detail/rows-table.tsx";
import { LiveStatus } from "@/components/load-balancer/parts/live-status.tsx";
import { TextLink } from "@/components/ui/action/text-link.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import type { StatusLook } from "@/components/ui/status/status.ts";
import { Age } from "@/components/ui/time/age.tsx";
import type { PlacingReplica } from "./join-backends.ts";

const bySession: StatusLook = { word: "By session", shape: "disc", tone: "good" };
const alone: StatusLook = { word: "Plain layer 4", shape: "triangle", tone: "warn" };
const proxied: StatusLook = { word: "By proxy", shape: "triangle", tone: "warn" };
const unknown: StatusLook = { word: "Not reported yet", shape: "ring", tone: "silent" };

/** How each replica places new connections, and why it doesn't by session. */
export function SessionReplicas({ replicas }: { replicas: PlacingReplica[] }) {
  const hasOutdated = replicas.some((each) => each.ticketsOutdatedSince !== null);
  const hasProblem = replicas.some((each) => !each.bySession);
  return (
    <RowsTable<PlacingReplica>
      label="Replicas"
      rows={replicas}
      stacks
      rowKey={(replica) => replica.replicaId}
      empty="No replicas yet. They are placed once the cluster has agents of the role balancer."
      columns={[
        {
          label: "Node",
          cell: ({ nodeId, nodeName }) =>
            nodeId ? (
              <TextLink href={`/nodes/${nodeId}`} className="font-medium">
                {nodeName ?? nodeId}
              </TextLink>
            ) : (
              <span className="text-muted">not placed yet</span>
            ),
        },
        {
          label: "Connections",
          cell: (replica) => <LiveStatus status={lookOf(replica)} of={replica} className="min-w-28" />,
        },
        ...(hasProblem
          ? [{ label: "Reason", wraps: true, cell: ({ problem }: PlacingReplica) => <LongText text={problem} /> }]
          : []),
        ...(hasOutdated
          ? [
              {
                label: "Key names",
                cell: ({ ticketsOutdatedSince }: PlacingReplica) =>
                  ticketsOutdatedSince ? (
                    <span>
                      Outdated <Age at={ticketsOutdatedSince} />
                    </span>
                  ) : (
                    <span className="text-muted">Current</span>
                  ),
              },
            ]
          : []),
        {
          label: "Seen",
          align: "end",
          cell: ({ observedAt, reportIntervalMs }) => (
            <Age at={observedAt} {...(reportIntervalMs === null ? {} : { expectedEveryMs: reportIntervalMs })} />
          ),
        },
      ]}
    />
  );
}

function lookOf({ bySession: isBySession, fallback, observedAt }: PlacingReplica): StatusLook {
  if (isBySession) return bySession;
  if (!observedAt) return unknown;
  return fallback === "proxy" ? proxied : alone;
}
