"use client";
import { Button } from "@/components/ui/action/button.tsx";

/** Shown when these pages can't be rendered, which happens when the database is down. */
export default function AuthError({ reset }: { reset: () => void }) {
  return (
    <div role="alert">
      <h1 className="mb-2 font-semibold text-xl">Fairlead is unavailable</h1>
      <p className="mb-5 text-sm">The database is probably unreachable. Traffic is not affected. Try again shortly.</p>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </div>
  );
}
