import { createHash } from "node:crypto";

const digestLength = 8;

/** shorten cuts a name that Kubernetes would find too long. What was cut is told apart by a digest in its place. */
export function shorten(name: string, most: number): string {
  if (name.length <= most) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, digestLength);
  return `${name.slice(0, most - digestLength - 1).replace(/[-.]+$/, "")}-${digest}`;
}
