import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/** An address, prefix or id: fixed width, and one click away from the clipboard. */
export function Mono({ children, copy = true, className }: { children: string; copy?: boolean; className?: string }) {
  return (
    <span className={classNames("group/mono relative inline-flex min-w-0 max-w-full items-center", className)}>
      <span className="truncate font-mono text-[0.75rem]">{children}</span>
      {copy ? (
        // Over the end of the value, so that it takes no room until it is wanted.
        <CopyButton
          value={children}
          label={`Copy ${children}`}
          className="absolute top-1/2 right-0 size-6 -translate-y-1/2 border bg-raised opacity-0 focus-visible:opacity-100 group-hover/mono:opacity-100"
        />
      ) : null}
    </span>
  );
}
