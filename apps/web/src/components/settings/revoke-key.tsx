"use client";
import type { ApiKey } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Age } from "@/components/ui/age.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** Ends a key for good, after saying whether somebody still uses it. */
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
      action="Revoke the key"
      consequence={
        <div className="flex flex-col gap-2">
          <p>
            Whatever uses it is refused at once, and for good.{" "}
            {apiKey?.lastUsedAt ? (
              <>
                It was last used <Age at={apiKey.lastUsedAt} />.
              </>
            ) : (
              "It was never used."
            )}
          </p>
          <p className="text-muted">Traffic is not affected; what the key made stays.</p>
        </div>
      }
      onConfirm={async () => {
        if (!apiKey) return;
        await revoke.mutateAsync({ id: apiKey.id });
        await queryClient.invalidateQueries(trpc.apiKey.pathFilter());
        notify(`The key ${apiKey.name} is revoked.`);
      }}
    />
  );
}
