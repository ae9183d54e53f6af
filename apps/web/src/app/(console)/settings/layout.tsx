import type { ReactNode } from "react";
import { SettingsNav } from "@/components/settings/settings-nav.tsx";
import { PageHeader } from "@/components/ui/layout/page-header.tsx";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsNav />
      <div className="px-4 py-6 md:px-6">{children}</div>
    </>
  );
}
