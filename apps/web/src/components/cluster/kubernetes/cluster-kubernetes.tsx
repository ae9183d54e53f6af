"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import type { KubernetesStatus } from "@fairlead/domain/kubernetes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Unplug } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { useLiveInterval } from "@/components/detail/use-live-interval.ts";
import { CertificateEnd } from "@/components/kubernetes/certificate-end.tsx";
import { Fold } from "@/components/kubernetes/fold.tsx";
import { Manifest } from "@/components/kubernetes/manifest.tsx";
import { kubernetesLooks, userTypeWords } from "@/components/kubernetes/words.ts";
import { Facts } from "@/components/table/facts.tsx";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { LongText } from "@/components/ui/long-text.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { StatusBadge } from "@/components/ui/status/status-badge.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { groupPermissions } from "./group-permissions.ts";
import { KubernetesForm } from "./kubernetes-form.tsx";
import { PermissionsTable } from "./permissions-table.tsx";

// The interval of the controller's probes. While the API is unreachable, it probes less and less often.
const pollIntervalMs = 30_000;

/** How the cluster's API is reached, its state, and its permissions. */
export function ClusterKubernetes({ cluster }: { cluster: Cluster }) {
  const [open, setOpen] = useState<"attach" | "detach" | null>(null);
  const { kubernetes, exposureCount } = cluster;
  const refused =
    exposureCount > 0
      ? `It still has ${countOf(exposureCount, "exposure")}. Delete those first: otherwise they could not be managed.`
      : null;
  return (
    <div id="kubernetes" className="scroll-mt-16">
      <Section
        title="Kubernetes"
        actions={
          <>
            {kubernetes ? (
              <GuardedButton
                permission="cluster:write"
                size="sm"
                disabledReason={refused}
                onClick={() => setOpen("detach")}
              >
                <Unplug aria-hidden />
                Detach
              </GuardedButton>
            ) : null}
            <GuardedButton permission="cluster:write" size="sm" onClick={() => setOpen("attach")}>
              <KeyRound aria-hidden />
              {kubernetes ? "Replace kubeconfig" : "Attach"}
            </GuardedButton>
          </>
        }
      >
        {kubernetes ? (
          <Attached cluster={cluster} kubernetes={kubernetes} />
        ) : (
          <p className="py-2 text-muted text-sm">
            Not attached, so the workloads of this cluster are unknown. Attach it with a kubeconfig. You see its
            permissions before anything is requested.
          </p>
        )}
      </Section>
      <Dialog
        open={open === "attach"}
        onOpenChange={(next) => setOpen(next ? "attach" : null)}
        wide
        title={kubernetes ? `Replace the kubeconfig of ${cluster.name}` : `Attach ${cluster.name}`}
        description="How to reach the API of the cluster. Fairlead connects as soon as you save."
      >
        {open === "attach" ? <KubernetesForm cluster={cluster} onDone={() => setOpen(null)} /> : null}
      </Dialog>
      <Detach cluster={cluster} open={open === "detach"} onClose={() => setOpen(null)} />
    </div>
  );
}

type Shown = NonNullable<Cluster["kubernetes"]>;

function Attached({ cluster, kubernetes }: { cluster: Cluster; kubernetes: Shown }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.cluster.getKubernetesStatus.queryOptions({ id: cluster.id }),
    refetchInterval: useLiveInterval(10_000),
  });
  const status = query.data;
  const { server, contextName, userType, certificateExpiresAt } = kubernetes;
  return (
    <div className="flex flex-col gap-4">
      {query.error && !status ? (
        <ErrorState
          what="Could not load the state of the API"
          message={problemOf(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <ApiState status={status} />
      )}
      <Facts
        rows={[
          ["Server", server ? <Mono key="server">{server}</Mono> : "as the controller's pod"],
          ["Context", contextName],
          ["Authentication", userTypeWords[userType]],
          ["Expires", certificateExpiresAt ? <CertificateEnd key="end" at={certificateExpiresAt} /> : null],
          ["Version", status?.version],
        ]}
      />
      {status ? (
        <>
          <Permissions permissions={status.permissions} />
          {status.permissions.some((each) => !each.granted) || status.phase === "refused" ? (
            <Fold title="Grant missing permissions with a dedicated account">
              <Manifest server={server} />
            </Fold>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** Lists missing permissions, or shows that none is missing. */
function Permissions({ permissions }: Pick<KubernetesStatus, "permissions">) {
  const rows = groupPermissions(permissions);
  if (rows.length === 0 || rows.some(({ state }) => state === "missing"))
    return <PermissionsTable permissions={permissions} />;
  return (
    <Fold title="All required permissions are granted">
      <PermissionsTable permissions={permissions} />
    </Fold>
  );
}

export function ApiState({ status }: { status: KubernetesStatus | undefined }) {
  if (!status) return <Skeleton className="w-72" />;
  const { phase, message, since, observedAt } = status;
  const isAway = phase === "unreachable" || phase === "refused";
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={kubernetesLooks[phase]} className="font-medium" />
        {since ? (
          <span className="text-muted">
            changed <Age at={since} />
          </span>
        ) : null}
        {observedAt ? (
          <span className="text-muted">
            checked <Age at={observedAt} expectedEveryMs={isAway ? pollIntervalMs * 2 : pollIntervalMs} />
          </span>
        ) : (
          <span className="text-muted">The controller connects now. This takes a moment.</span>
        )}
      </span>
      {message ? (
        <span className="max-w-prose">
          <LongText text={message} />
        </span>
      ) : null}
    </div>
  );
}

function Detach({ cluster, open, onClose }: { cluster: Cluster; open: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const update = useMutation(trpc.cluster.update.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={`Detach ${cluster.name}?`}
      action="Detach cluster"
      consequence="Fairlead stops using its API and deletes its credentials. Nothing changes in the cluster."
      onConfirm={async () => {
        await update.mutateAsync({ id: cluster.id, expectedGeneration: cluster.generation, kubernetes: null });
        await queryClient.invalidateQueries(trpc.cluster.pathFilter());
        notify(`Detached ${cluster.name}.`);
      }}
    />
  );
}
