import { classNames } from "../class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/**
 * A command to run on a machine, or a file for it, with a copy button. `wraps` shows all of a long line, instead of a scroll
 * bar; `isFile` limits the height.
 */
export function CommandLine({
  command,
  label,
  wraps = false,
  isFile = false,
}: {
  command: string;
  label: string;
  wraps?: boolean;
  isFile?: boolean;
}) {
  const scroll = isFile ? "max-h-60 overflow-auto" : "overflow-x-auto";
  return (
    <div className="flex items-start gap-2 rounded-md border bg-surface py-1.5 pr-1.5 pl-3">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classNames("min-w-0 flex-1 py-1", scroll)} tabIndex={0} aria-label={label}>
        <pre className={classNames("font-mono text-xs", wraps && "whitespace-pre-wrap break-all")}>{command}</pre>
      </section>
      <CopyButton value={command} label={`Copy: ${label}`} />
    </div>
  );
}
