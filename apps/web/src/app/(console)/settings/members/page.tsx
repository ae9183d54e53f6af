import type { Metadata } from "next";
import { MembersPage } from "@/components/settings/members-page.tsx";
import { env } from "@/env.ts";

export const metadata: Metadata = { title: "Members · Settings" };

export default function Page() {
  return <MembersPage url={env().url} />;
}
