"use client";
import type { Permission } from "@fairlead/domain";
import { useId } from "react";
import { useMay, useSession } from "@/components/frame/session.tsx";
import { Button, type ButtonProps } from "@/components/ui/button.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { reasonAgainst } from "./reason-against.ts";

/** A button for those who may. The others see it too, and why it is not for them. */
export function GuardedButton({
  permission,
  disabledReason,
  ...props
}: ButtonProps & { permission: Permission; disabledReason?: string | null }) {
  const id = useId();
  const may = useMay(permission);
  const { organization } = useSession();
  const reason = may ? disabledReason : reasonAgainst(permission, organization.role);
  if (!reason) return <Button {...props} />;
  // aria-disabled instead of disabled, so that the keyboard reaches it and the reason can be read.
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
