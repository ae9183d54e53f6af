"use client";
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Link prefetches a page when the pointer is over it. Next would prefetch every visible link with two requests each,
 * just when the page should respond to its first key.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  const [isNear, setNear] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isNear ? null : false}
      onPointerEnter={(event) => {
        setNear(true);
        props.onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        props.onFocus?.(event);
      }}
    />
  );
}
