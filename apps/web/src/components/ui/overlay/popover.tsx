"use client";
import { Popover as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";

export function Popover({
  open,
  onOpenChange,
  trigger,
  label,
  align = "start",
  className,
  children,
}: {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger: ReactNode;
  label: string;
  align?: "start" | "center" | "end";
  className?: string;
  children: ReactNode;
}) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={classNames(
            "z-50 max-h-(--radix-popover-content-available-height) w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border bg-raised p-2 shadow-float focus:outline-none",
            className,
          )}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
