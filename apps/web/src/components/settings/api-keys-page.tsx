"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { DownloadList } from "@/components/table/download-list.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { ApiKeysTable, keysInput } from "./api-keys-table.tsx";
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
          <>
            <DownloadKeys />
            <GuardedButton permission="key:write" size="sm" variant="primary" onClick={() => setCreating(true)}>
              Create API key
            </GuardedButton>
          </>
        }
      >
        <ApiKeysTable />
      </Section>
      <CreateKeyDialog url={url} open={creating} onClose={() => setCreating(false)} />
    </RequirePermission>
  );
}

/** A row has the first characters of its key only, as the table does. */
function DownloadKeys() {
  const trpc = useTRPC();
  const keys = useQuery(trpc.apiKey.list.queryOptions(keysInput));
  return (
    <DownloadList
      name="API keys"
      total={keys.data?.total}
      pageQuery={(offset, limit) => trpc.apiKey.list.queryOptions({ offset, limit })}
    />
  );
}
