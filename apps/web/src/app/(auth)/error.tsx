"use client";
import { Button } from "@/components/ui/button.tsx";

/** What these pages show when they can't even be drawn, which is when the database is away. */
export default function AuthError({ reset }: { reset: () => void }) {
  return (
    <div role="alert">
      <h1 className="mb-2 font-semibold text-xl">Fairlead is not answering as it should</h1>
      <p className="mb-5 text-sm">
        It probably can't reach its database just now. Traffic is not affected; try again shortly.
      </p>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </div>
  );
}
