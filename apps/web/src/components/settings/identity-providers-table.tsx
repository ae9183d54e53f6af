"use client";
import type { IdentityProvider } from "@fairlead/domain/access";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { RowsTable } from "@/components/detail/rows-table.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { ListProblem } from "./list-problem.tsx";

/** The identity providers, each with its redirect URI. */
export function IdentityProvidersTable({ url }: { url: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [removing, setRemoving] = useState<IdentityProvider | null>(null);
  const query = useQuery(trpc.identityProvider.list.queryOptions({ limit: 100 }));
  const remove = useMutation(trpc.identityProvider.delete.mutationOptions());
  if (query.error && !query.data) return <ListProblem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <RowsTable<IdentityProvider>
        label="Identity providers"
        rows={query.data?.items}
        stacks
        rowKey={(provider) => provider.id}
        empty="No identity providers. All users sign in with email and password. Add your company's provider so that its users can sign in with their accounts."
        columns={[
          { label: "Name", cell: (provider) => <span className="font-medium">{provider.name}</span> },
          { label: "Issuer", cell: (provider) => <Mono>{provider.issuer}</Mono> },
          { label: "Client id", cell: (provider) => <Mono copy={false}>{provider.clientId}</Mono> },
          { label: "Email domains", cell: (provider) => provider.domains.join(", ") },
          { label: "Initial role", cell: (provider) => provider.defaultRole },
          { label: "Redirect URI", cell: (provider) => <Mono>{new URL(provider.callbackPath, url).href}</Mono> },
          { label: "Added", cell: (provider) => <Age at={provider.createdAt} /> },
          {
            label: "Action",
            hidesLabel: true,
            align: "end",
            cell: (provider) => (
              <GuardedButton
                permission="identity-provider:write"
                size="sm"
                variant="quiet"
                onClick={() => setRemoving(provider)}
              >
                Remove
              </GuardedButton>
            ),
          },
        ]}
      />
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => {
          if (!open) setRemoving(null);
        }}
        title={`Remove ${removing?.name ?? "the provider"}?`}
        typed={removing?.name ?? ""}
        action="Remove provider"
        consequence={
          <div className="flex flex-col gap-2">
            <p>Users can't sign in with it anymore. Users without a password are locked out once their session ends.</p>
            <p className="text-muted">Members stay members, and traffic is not affected.</p>
          </div>
        }
        onConfirm={async () => {
          if (!removing) return;
          await remove.mutateAsync({ id: removing.id });
          await queryClient.invalidateQueries(trpc.identityProvider.pathFilter());
          notify(`Removed the provider ${removing.name}.`);
        }}
      />
    </>
  );
}
