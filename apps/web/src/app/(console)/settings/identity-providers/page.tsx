import type { Metadata } from "next";
import { IdentityProvidersPage } from "@/components/settings/identity-providers-page.tsx";
import { env } from "@/env.ts";

export const metadata: Metadata = { title: "Sign-in · Settings" };

export default function Page() {
  return <IdentityProvidersPage url={env().url} />;
}
