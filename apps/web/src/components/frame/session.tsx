"use client";
import type { Permission, Session } from "@fairlead/domain";
import { createContext, type ReactNode, use } from "react";

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession is for pages of the console.");
  return session;
}

/** useMay hides what the person may not do. The services check again, and theirs is the check that counts. */
export function useMay(permission: Permission): boolean {
  return useSession().permissions.includes(permission);
}
