import Link from "next/link";
import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";

/** A link in text or in a cell. Inside a grid it is not in the tab order, because the grid handles the keyboard. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className={classNames("underline-offset-2 hover:text-accent hover:underline", className)}
      {...props}
    />
  );
}
