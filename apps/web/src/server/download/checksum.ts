import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** Text is a file of the repository with addresses filled in; it is small. */
export type Source = { file: string } | { text: string };

type Checksum = { sha256: string };
type Known = Checksum & { of: string };

/** One per file that can be downloaded. */
const known = new Map<string, Known>();

/** checksumOf reads a file once, and again after it was replaced. */
export async function checksumOf(source: Source): Promise<Checksum> {
  if ("text" in source) {
    return { sha256: createHash("sha256").update(source.text).digest("hex") };
  }
  const { ino, size, mtimeMs } = await stat(source.file);
  const of = [ino, size, mtimeMs].join(" ");
  const found = known.get(source.file);
  if (found?.of === of) return found;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(source.file) as AsyncIterable<Buffer>) hash.update(chunk);
  const sum = { sha256: hash.digest("hex"), of };
  known.set(source.file, sum);
  return sum;
}
