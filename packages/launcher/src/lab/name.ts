import { createHash } from "node:crypto";

/** labName derives the name of the lab's namespaces from the data folder, so that it is stable and unique. */
export function labName(dataFolder: string): string {
  return `demo${createHash("sha256").update(dataFolder).digest("hex").slice(0, 8)}`;
}
