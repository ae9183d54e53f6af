import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/** An address, prefix or id: fixed width, and one click away from the clipboard. */
export function Mono({ children, copy = true, className }: { children: string; copy?: boolean; className?: string }) {
  return (
    <span className={classNames("group/mono inline-flex min-w-0 items-center gap-1", className)}>
      <span className="truncate font-mono text-[0.75rem]">{children}</span>
      {copy ? (
        <CopyButton
          value={children}
          label={`Copy ${children}`}
          className="-my-1.5 size-6 opacity-0 focus-visible:opacity-100 group-hover/mono:opacity-100 pointer-coarse:opacity-100"
        />
      ) : null}
    </span>
  );
}
