import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { Spinner } from "../spinner.tsx";

const variants = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover border-transparent",
  secondary: "bg-raised text-ink border-line-strong/60 hover:bg-hover",
  quiet: "bg-transparent text-ink border-transparent hover:bg-hover",
  danger: "bg-bad text-canvas border-transparent hover:brightness-95 dark:hover:brightness-110",
} as const;

const sizes = {
  sm: "h-7 px-2 text-xs gap-1.5",
  md: "h-8 px-3 text-sm gap-2",
  icon: "size-8 justify-center p-0",
  "icon-sm": "size-7 justify-center p-0",
} as const;

export type ButtonProps = ComponentProps<"button"> & {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Renders the child (such as a link) as a button. */
  asChild?: boolean;
  /** The action is running: shows a spinner and ignores clicks. */
  busy?: boolean;
};

export function Button({
  variant = "secondary",
  size = "md",
  asChild = false,
  busy = false,
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  const style = classNames(
    "touch-target inline-flex shrink-0 select-none items-center whitespace-nowrap rounded-md border font-medium transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
    className,
  );
  if (asChild)
    return (
      <Slot.Root className={style} {...props}>
        {children}
      </Slot.Root>
    );
  return (
    <button type="button" className={style} disabled={disabled || busy} aria-busy={busy || undefined} {...props}>
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}
