"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";

/** Shown when a page failed on the server, with a retry. The server has logged the error. */
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
        what="Page could not be loaded"
        message="The control plane returned an error. Traffic is not affected. If it keeps failing, check the log of the control plane."
        onRetry={retry}
      />
    </main>
  );
}
