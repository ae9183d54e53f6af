"use client";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { useReturnFocus } from "./use-return-focus.ts";

/** A panel that slides in from the side: the navigation on a phone. */
export function Sheet({
  open,
  onOpenChange,
  title,
  side = "left",
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  side?: "left" | "right";
  children: ReactNode;
}) {
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className={classNames(
            "fixed inset-y-0 z-50 flex w-[min(20rem,86vw)] flex-col overflow-y-auto bg-raised shadow-float focus:outline-none",
            side === "left" ? "left-0 border-r" : "right-0 border-l",
          )}
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
