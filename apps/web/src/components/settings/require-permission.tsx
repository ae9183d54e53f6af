"use client";
import type { Permission } from "@fairlead/domain/access";
import type { ReactNode } from "react";
import { explainDenied } from "@/components/detail/explain-denied.ts";
import { useSession } from "@/components/frame/session.tsx";
import { EmptyState } from "@/components/ui/layout/empty-state.tsx";

/** Shows its content to users with the permission, and an explanation to others. */
export function RequirePermission({
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
  return <EmptyState title={title}>{explainDenied(permission, organization.role)}</EmptyState>;
}
