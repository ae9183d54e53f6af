"use client";
import { type ReactNode, useEffect } from "react";
import { useSession } from "@/components/frame/session.tsx";
import { noteSession } from "@/live/session-state.ts";

/**
 * Passes server-fetched data only to the pages of the same organisation: the layout persists across pages, and another
 * tab may have switched the session meanwhile.
 */
export function ForOrganization({ id, children }: { id: string; children: ReactNode }) {
  const { organization } = useSession();
  const isOther = id !== organization.id;
  useEffect(() => {
    if (isOther) noteSession("elsewhere");
  }, [isOther]);
  return isOther ? null : children;
}
