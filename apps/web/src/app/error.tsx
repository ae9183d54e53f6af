"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "@/components/ui/error-state.tsx";

/** A page that broke on the server, with a way to ask for it again. What broke was written down there. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  const router = useRouter();
  function retry(): void {
    startTransition(() => {
      router.refresh();
      reset();
    });
  }
  return (
    <main>
      <ErrorState
        what="This page could not be shown"
        message="The control plane did not answer as it should. If it stays so, its log says why."
        onRetry={retry}
      />
    </main>
  );
}
