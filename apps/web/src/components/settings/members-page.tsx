"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { InvitationsTable } from "./invitations-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MembersTable } from "./members-table.tsx";

/** Who belongs to the organisation, who is asked to, and with which role. */
export function MembersPage({ url }: { url: string }) {
  const [inviting, setInviting] = useState(false);
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="Members"
        actions={
          <GuardedButton permission="member:write" size="sm" variant="primary" onClick={() => setInviting(true)}>
            Invite somebody
          </GuardedButton>
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
