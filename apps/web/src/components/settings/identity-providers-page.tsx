"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { IdentityProviderDialog } from "./identity-provider-dialog.tsx";
import { IdentityProvidersTable } from "./identity-providers-table.tsx";
import { RequirePermission } from "./require-permission.tsx";

/** Identity providers for sign-in without a password. */
export function IdentityProvidersPage({ url }: { url: string }) {
  const [adding, setAdding] = useState(false);
  return (
    <RequirePermission permission="identity-provider:read" title="Your role can't view sign-in settings">
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
            Add provider
          </GuardedButton>
        }
      >
        <IdentityProvidersTable url={url} />
      </Section>
      <IdentityProviderDialog url={url} open={adding} onClose={() => setAdding(false)} />
    </RequirePermission>
  );
}
