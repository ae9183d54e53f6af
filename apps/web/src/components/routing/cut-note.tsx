import { TextLink } from "@/components/ui/action/text-link.tsx";
import { describeCut } from "./describe-cut.ts";
import type { Lookup } from "./use-address-routing.ts";

/** States that a lookup found more rows than are shown, with a link to all of them; nothing if it is complete. */
export function CutNote({ of, href }: { of: Lookup; href: string }) {
  const text = describeCut(of.pages);
  if (!text) return null;
  return (
    <p className="pt-2 text-muted text-sm">
      {text}{" "}
      <TextLink href={href} className="text-accent underline">
        View all in Routing
      </TextLink>
    </p>
  );
}
