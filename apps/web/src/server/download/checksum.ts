import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** Text is a file of the repository with addresses filled in; it is small. */
export type Source = { file: string } | { text: string };

export type Checksum = { sha256: string; bytes: number };

type Known = Checksum & { of: string };

/** One per file that can be downloaded. */
const known = new Map<string, Known>();

/** checksumOf reads a file once, and again after it was replaced. */
export async function checksumOf(source: Source): Promise<Checksum> {
  if ("text" in source) {
    const content = Buffer.from(source.text);
    return { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
  }
  const { ino, size, mtimeMs } = await stat(source.file);
  const of = [ino, size, mtimeMs].join(" ");
  const found = known.get(source.file);
  if (found?.of === of) return found;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(source.file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  const sum = { sha256: hash.digest("hex"), bytes, of };
  known.set(source.file, sum);
  return sum;
}
