import { createHash } from "node:crypto";

/** labName is the same at every start on a data folder and another on every other: namespaces are called by it. */
export function labName(dataFolder: string): string {
  return `demo${createHash("sha256").update(dataFolder).digest("hex").slice(0, 8)}`;
}
