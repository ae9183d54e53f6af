"use client";
import type { Member } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "@/components/frame/session.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { notify } from "@/components/ui/notices.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Ends somebody's access here, after saying what stays behind. */
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
      action={isSelf ? "Leave" : "Remove"}
      consequence={
        <div className="flex flex-col gap-2">
          <p>
            {isSelf ? "Your sessions here end" : "Their sessions here end"} at once. Coming back takes a new invitation.
          </p>
          {member && member.activeKeyCount > 0 ? (
            <p>
              {countOf(member.activeKeyCount, "active key")} {member.activeKeyCount === 1 ? "goes" : "go"} on working,
              because pipelines may hang on them. Look at them under API keys.
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
        notify(`${member.name} no longer belongs to the organisation.`);
      }}
    />
  );
}
