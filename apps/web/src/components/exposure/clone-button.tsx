"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";

/** Opens the form of a new exposure, filled with the spec of this one. */
export function CloneButton({ exposure }: { exposure: Exposure }) {
  const router = useRouter();
  return (
    <GuardedButton
      size="sm"
      permission="exposure:write"
      onClick={() => router.push(`/exposures/new?from=${exposure.id}`)}
    >
      <Copy aria-hidden />
      Clone
    </GuardedButton>
  );
}
