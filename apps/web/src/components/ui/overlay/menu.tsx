"use client";
import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";

const itemStyle =
  "flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-sm px-2 py-1 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0";

export function Menu({
  trigger,
  label,
  align = "end",
  children,
}: {
  trigger: ReactNode;
  label: string;
  align?: "start" | "end";
  children: ReactNode;
}) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      {/* Rendered next to its trigger and not at the end of the body, so that it stays in the same landmark. */}
      <Primitive.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-[min(22rem,calc(100vw-1rem))] overflow-y-auto rounded-md border bg-raised p-1 shadow-float"
      >
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}

export function MenuItem({
  danger = false,
  className,
  ...props
}: ComponentProps<typeof Primitive.Item> & { danger?: boolean }) {
  return <Primitive.Item className={classNames(itemStyle, danger && "text-bad", className)} {...props} />;
}

export function MenuChoice({ checked, children, ...props }: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem className={itemStyle} checked={checked ?? false} {...props}>
      <span className="flex size-4 items-center justify-center">
        <Primitive.ItemIndicator>
          <Check aria-hidden />
        </Primitive.ItemIndicator>
      </span>
      {children}
    </Primitive.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 pt-1.5 pb-1 text-muted text-xs">{children}</Primitive.Label>;
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />;
}
