"use client";
import type { ApiKey } from "@fairlead/domain/access";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { Age } from "@/components/ui/time/age.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Revokes a key, after a confirmation that shows its last use. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(trpc.apiKey.revoke.mutationOptions());
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Revoke ${apiKey?.name ?? "the key"}?`}
      action="Revoke key"
      consequence={
        <div className="flex flex-col gap-2">
          <p>
            Requests with this key are rejected at once and permanently.{" "}
            {apiKey?.lastUsedAt ? (
              <>
                It was last used <Age at={apiKey.lastUsedAt} />.
              </>
            ) : (
              "It was never used."
            )}
          </p>
          <p className="text-muted">Traffic is not affected. Objects that were created with the key stay.</p>
        </div>
      }
      onConfirm={async () => {
        if (!apiKey) return;
        await revoke.mutateAsync({ id: apiKey.id });
        await queryClient.invalidateQueries(trpc.apiKey.pathFilter());
        notify(`Revoked the key ${apiKey.name}.`);
      }}
    />
  );
}
