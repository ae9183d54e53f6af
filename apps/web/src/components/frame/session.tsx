"use client";
import type { Permission, Session } from "@fairlead/domain/access";
import { createContext, type ReactNode, use } from "react";

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession is only available in the console.");
  return session;
}

/** useMay hides what the user is not allowed to do. The services enforce it. */
export function useMay(permission: Permission): boolean {
  return useSession().permissions.includes(permission);
}
