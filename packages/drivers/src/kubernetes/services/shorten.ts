import { createHash } from "node:crypto";

const digestLength = 8;

/** shorten truncates a name that is too long for Kubernetes, and appends a digest to keep it unique. */
export function shorten(name: string, most: number): string {
  if (name.length <= most) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, digestLength);
  return `${name.slice(0, most - digestLength - 1).replace(/[-.]+$/, "")}-${digest}`;
}
