"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { ApiKeysTable } from "./api-keys-table.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { RequirePermission } from "./require-permission.tsx";

/** The API keys of programs. */
export function ApiKeysPage({ url }: { url: string }) {
  const [creating, setCreating] = useState(false);
  return (
    <RequirePermission permission="key:read" title="Your role can't view API keys">
      <Section
        title="API keys"
        hint={
          <>
            for programs; the available endpoints are listed in{" "}
            <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
              the OpenAPI document
            </a>
          </>
        }
        actions={
          <GuardedButton permission="key:write" size="sm" variant="primary" onClick={() => setCreating(true)}>
            Create API key
          </GuardedButton>
        }
      >
        <ApiKeysTable />
      </Section>
      <CreateKeyDialog url={url} open={creating} onClose={() => setCreating(false)} />
    </RequirePermission>
  );
}
