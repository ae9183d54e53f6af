"use client";
import type { Permission } from "@fairlead/domain/access";
import { useId } from "react";
import { useMay, useSession } from "@/components/frame/session.tsx";
import { Button, type ButtonProps } from "@/components/ui/action/button.tsx";
import { Tooltip } from "@/components/ui/overlay/tooltip.tsx";
import { explainDenied } from "./explain-denied.ts";

/** A button that requires a permission. Users without it see it disabled, with the reason. */
export function GuardedButton({
  permission,
  disabledReason,
  ...props
}: ButtonProps & { permission: Permission; disabledReason?: string | null }) {
  const id = useId();
  const may = useMay(permission);
  const { organization } = useSession();
  const reason = may ? disabledReason : explainDenied(permission, organization.role);
  if (!reason) return <Button {...props} />;
  // aria-disabled instead of disabled, so that the keyboard can reach it and the reason is readable.
  return (
    <Tooltip content={reason}>
      <span className="inline-flex">
        <Button
          {...props}
          aria-disabled
          aria-describedby={id}
          className="cursor-not-allowed opacity-55"
          onClick={(event) => event.preventDefault()}
        />
        <span id={id} className="sr-only">
          {reason}
        </span>
      </span>
    </Tooltip>
  );
}
