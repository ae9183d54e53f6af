"use client";
import { type ReactNode, useEffect } from "react";
import { useSession } from "@/components/frame/session.tsx";
import { noteSession } from "@/live/session-state.ts";

/**
 * What the server read for an organisation, in the frame of that one only: the frame stays from page to page, and
 * another tab may have switched the session in between.
 */
export function ForOrganization({ id, children }: { id: string; children: ReactNode }) {
  const { organization } = useSession();
  const isOther = id !== organization.id;
  useEffect(() => {
    if (isOther) noteSession("elsewhere");
  }, [isOther]);
  return isOther ? null : children;
}
