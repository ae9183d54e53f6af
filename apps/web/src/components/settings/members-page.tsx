"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { DownloadList } from "@/components/table/download-list.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { InvitationsTable } from "./invitations-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MembersTable } from "./members-table.tsx";

/** The members of the organisation, the invitations, and their roles. */
export function MembersPage({ url }: { url: string }) {
  const trpc = useTRPC();
  const [inviting, setInviting] = useState(false);
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="Members"
        actions={
          <>
            {/* There is at least one: the user. */}
            <DownloadList
              name="members"
              total={1}
              pageQuery={(offset, limit) => trpc.member.list.queryOptions({ offset, limit })}
            />
            <GuardedButton permission="member:write" size="sm" variant="primary" onClick={() => setInviting(true)}>
              Invite member
            </GuardedButton>
          </>
        }
      >
        <MembersTable />
      </Section>
      <Section title="Invitations">
        <InvitationsTable />
      </Section>
      <InviteDialog url={url} open={inviting} onClose={() => setInviting(false)} />
    </div>
  );
}
