import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from "node:fs";

const largestBytes = 20 * 1024 * 1024;
const tailBytes = 64 * 1024;

/**
 * boundLog keeps a log from filling the disk, also while somebody writes to it: what is there is copied aside and the
 * file emptied in place. Programs append, so their next line is the first; what they write in between is lost.
 */
export function boundLog(file: string, largest = largestBytes): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= largest) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

/** lastLines reads the end of a log only, for it may be large. */
export function lastLines(file: string, count: number): string {
  if (!statSync(file, { throwIfNoEntry: false })) return "";
  const log = openSync(file, "r");
  try {
    const { size } = fstatSync(log);
    const tail = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(log, tail, 0, tail.length, size - tail.length);
    return tail.toString("utf8", 0, read).trimEnd().split("\n").slice(-count).join("\n");
  } finally {
    closeSync(log);
  }
}
