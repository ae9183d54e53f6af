"use client";
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Link reads the page it leads to when somebody points at it. Next would read every page that is linked on screen, two
 * requests each, just when this one should take its first key.
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
