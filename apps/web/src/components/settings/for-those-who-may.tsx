"use client";
import type { Permission } from "@fairlead/domain";
import type { ReactNode } from "react";
import { reasonAgainst } from "@/components/detail/reason-against.ts";
import { useSession } from "@/components/frame/session.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";

/** Shows its content to those who may read it, and the others why not. */
export function ForThoseWhoMay({
  permission,
  title,
  children,
}: {
  permission: Permission;
  title: string;
  children: ReactNode;
}) {
  const { permissions, organization } = useSession();
  if (permissions.includes(permission)) return children;
  return <EmptyState title={title}>{reasonAgainst(permission, organization.role)}</EmptyState>;
}
