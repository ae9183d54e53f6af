"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { ForThoseWhoMay } from "./for-those-who-may.tsx";
import { IdentityProviderDialog } from "./identity-provider-dialog.tsx";
import { IdentityProvidersTable } from "./identity-providers-table.tsx";

/** Where people may sign in besides with a password. */
export function IdentityProvidersPage({ url }: { url: string }) {
  const [adding, setAdding] = useState(false);
  return (
    <ForThoseWhoMay permission="identity-provider:read" title="Sign-in settings are not for your role">
      <Section
        title="Identity providers"
        hint="sign-in with OpenID Connect"
        actions={
          <GuardedButton
            permission="identity-provider:write"
            size="sm"
            variant="primary"
            onClick={() => setAdding(true)}
          >
            Add a provider
          </GuardedButton>
        }
      >
        <IdentityProvidersTable url={url} />
      </Section>
      <IdentityProviderDialog url={url} open={adding} onClose={() => setAdding(false)} />
    </ForThoseWhoMay>
  );
}
