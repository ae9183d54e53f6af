import type { ReactNode } from "react";
import { PageDocsLink } from "@/components/docs/page-docs-link.tsx";
import { Logo } from "@/components/frame/logo.tsx";

/** The frame of the pages for signed-out users: a single column. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-4 py-12">
      <div className="mb-8 flex items-center justify-between">
        <p className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-5" />
          Fairlead
        </p>
        <PageDocsLink />
      </div>
      {children}
    </main>
  );
}
