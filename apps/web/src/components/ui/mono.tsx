"use client";
import { useState } from "react";
import { CopyButton } from "./action/copy-button.tsx";
import { classNames } from "./class-names.ts";

type MonoProps = {
  children: string;
  /** "pointer": the copy button is created on hover, for cells that appear hundreds of times on a screen. */
  copy?: boolean | "pointer";
  className?: string;
};

/** An address, prefix or id in a monospaced font, with a copy button. */
export function Mono({ children, copy = true, className }: MonoProps) {
  const [isNear, setNear] = useState(false);
  return (
    <span
      className={classNames("group/mono relative inline-flex min-w-0 max-w-full items-center", className)}
      onPointerEnter={copy === "pointer" ? () => setNear(true) : undefined}
    >
      <span title={children} className="truncate font-mono text-[0.75rem]">
        {children}
      </span>
      {copy === true || isNear ? (
        // Over the end of the value, so that it takes no space while hidden.
        <CopyButton
          value={children}
          label={`Copy ${children}`}
          className="absolute top-1/2 right-0 size-6 -translate-y-1/2 border bg-raised opacity-0 focus-visible:opacity-100 group-hover/mono:opacity-100"
        />
      ) : null}
    </span>
  );
}
