import type { Metadata } from "next";
import { ApiKeysPage } from "@/components/settings/api-keys-page.tsx";
import { env } from "@/env.ts";

export const metadata: Metadata = { title: "API keys · Settings" };

export default function Page() {
  return <ApiKeysPage url={env().url} />;
}
