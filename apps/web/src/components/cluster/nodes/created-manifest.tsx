"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import type { BalancerManifest } from "@fairlead/domain/load-balancer";
import { useQuery } from "@tanstack/react-query";
import { ConnectionHints } from "@/components/node/connection-hints.tsx";
import { LocalAddresses } from "@/components/node/local-addresses.tsx";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Link } from "@/components/ui/action/link.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { StatusGlyph } from "@/components/ui/status/status-badge.tsx";
import { Until } from "@/components/ui/time/until.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Polls in addition to the live stream, because the user is waiting for the pods. */
const pollIntervalMs = 2_000;

export function CreatedManifest({ cluster, made: { manifest, token } }: { cluster: Cluster; made: BalancerManifest }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.enrollmentToken.list.queryOptions(
      { clusterId: cluster.id, reusable: true, limit: 200 },
      { refetchInterval: pollIntervalMs },
    ),
  );
  const uses = data?.items.find(({ id }) => id === token.id)?.uses ?? 0;
  return (
    <div className="flex flex-col gap-3 text-sm">
      {uses > 0 ? null : <LocalAddresses of="pod" />}
      <p>
        Save it as fairlead-balancer.yaml and apply it. It contains a token that is shown only once. Nodes that are
        added later join with it too: <Until at={token.expiresAt} past="expired" warnMs={5 * 60_000} />.
      </p>
      <CommandLine command={manifest} label="Manifest" isFile />
      <CommandLine command="kubectl apply -f fairlead-balancer.yaml" label="Apply the manifest" />
      <p role="status" className="flex min-h-9 items-center gap-2.5 rounded-md bg-surface px-3 py-2">
        {uses > 0 ? (
          <>
            <StatusGlyph shape="disc" className="text-good" />
            <span>
              {countOf(uses, "agent")} joined, two for each pod. See the{" "}
              <Link href={`/nodes?cluster=${cluster.id}`} className="font-medium text-accent hover:underline">
                nodes of {cluster.name}
              </Link>
              .
            </span>
          </>
        ) : (
          <>
            <Spinner />
            Waiting for the first pod to connect.
          </>
        )}
      </p>
      {uses > 0 ? null : (
        <ConnectionHints since={token.createdAt}>
          <li>
            The pods must run: <code className="break-all">kubectl -n fairlead get pods</code>. Nodes that can't pull
            the image show ImagePullBackOff.
          </li>
          <li>
            The agents log why they can't join:{" "}
            <code className="break-all">kubectl -n fairlead logs daemonset/fairlead-balancer --all-containers</code>.
          </li>
        </ConnectionHints>
      )}
      <p className="text-muted">You can delete the token on the page of the cluster.</p>
    </div>
  );
}
