"use client";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Section } from "@/components/ui/section.tsx";
import { ApiKeysTable } from "./api-keys-table.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { ForThoseWhoMay } from "./for-those-who-may.tsx";

/** The keys with which programs use the API. */
export function ApiKeysPage({ url }: { url: string }) {
  const [creating, setCreating] = useState(false);
  return (
    <ForThoseWhoMay permission="key:read" title="API keys are not for your role">
      <Section
        title="API keys"
        hint={
          <>
            for programs; what they can call stands in{" "}
            <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
              the OpenAPI document
            </a>
          </>
        }
        actions={
          <GuardedButton permission="key:write" size="sm" variant="primary" onClick={() => setCreating(true)}>
            Make a key
          </GuardedButton>
        }
      >
        <ApiKeysTable />
      </Section>
      <CreateKeyDialog url={url} open={creating} onClose={() => setCreating(false)} />
    </ForThoseWhoMay>
  );
}
