import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from "node:fs";

const largestBytes = 20 * 1024 * 1024;
const tailBytes = 64 * 1024;

/**
 * limitLog keeps a log from filling the disk while a program writes to it: it copies the log aside and empties the file in
 * place. Programs append, so their next line is the first; lines written in between are lost.
 */
export function limitLog(file: string, largest = largestBytes): void {
  if (logSize(file) <= largest) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

export function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** lastLines reads the last lines without reading the whole log; only lines after the given size. */
export function lastLines(file: string, count: number, since = 0): string {
  if (!statSync(file, { throwIfNoEntry: false })) return "";
  const log = openSync(file, "r");
  try {
    const { size } = fstatSync(log);
    const news = since <= size ? size - since : size; // a log that shrank was emptied since
    const tail = Buffer.alloc(Math.min(news, tailBytes));
    const read = readSync(log, tail, 0, tail.length, size - tail.length);
    return tail.toString("utf8", 0, read).trimEnd().split("\n").slice(-count).join("\n");
  } finally {
    closeSync(log);
  }
}
