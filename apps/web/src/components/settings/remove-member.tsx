"use client";
import type { Member } from "@fairlead/domain/access";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "@/components/frame/session.tsx";
import { notify } from "@/components/ui/layout/notices.tsx";
import { ConfirmDialog } from "@/components/ui/overlay/confirm-dialog.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Removes a member, after a confirmation that shows the effect. */
export function RemoveMember({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { user } = useSession();
  const remove = useMutation(trpc.member.remove.mutationOptions());
  const isSelf = member?.userId === user?.id;
  return (
    <ConfirmDialog
      open={member !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={isSelf ? "Leave this organisation?" : `Remove ${member?.name ?? ""}?`}
      {...(isSelf && member ? { typed: member.email } : {})}
      action={isSelf ? "Leave organisation" : "Remove member"}
      consequence={
        <div className="flex flex-col gap-2">
          <p>
            {isSelf ? "Your sessions here end" : "Their sessions here end"} at once. To return, a new invitation is
            required.
          </p>
          {member && member.activeKeyCount > 0 ? (
            <p>
              {countOf(member.activeKeyCount, "active key")} {member.activeKeyCount === 1 ? "stays" : "stay"} active,
              because pipelines may depend on them. Check them under API keys.
            </p>
          ) : null}
          <p className="text-muted">Traffic is not affected.</p>
        </div>
      }
      onConfirm={async () => {
        if (!member) return;
        await remove.mutateAsync({ id: member.id });
        if (isSelf) return window.location.assign("/");
        await queryClient.invalidateQueries(trpc.member.pathFilter());
        notify(`Removed ${member.name} from the organisation.`);
      }}
    />
  );
}
