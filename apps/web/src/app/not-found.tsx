import type { Metadata } from "next";
import { Logo } from "@/components/frame/logo.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Link } from "@/components/ui/action/link.tsx";

export const metadata: Metadata = { title: "Page not found" };

/** The page for an unknown URL, with links back. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-12">
      <p className="mb-8 flex items-center gap-2.5 font-semibold">
        <Logo className="size-5" />
        Fairlead
      </p>
      <h1 className="mb-2 font-semibold text-xl">Page not found</h1>
      <p className="mb-5 text-muted text-sm">The URL is wrong, or the page has moved. Traffic is not affected.</p>
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="primary">
          <Link href="/">Go to the overview</Link>
        </Button>
        <Button asChild>
          <Link href="/exposures">See all exposures</Link>
        </Button>
      </div>
    </main>
  );
}
