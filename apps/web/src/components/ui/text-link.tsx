import Link from "next/link";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A link in text or in a cell. Inside a grid it is out of the tab order: the grid's own keys lead to it. */
export function TextLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className={classNames("underline-offset-2 hover:text-accent hover:underline", className)}
      {...props}
    />
  );
}
