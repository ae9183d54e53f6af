import { createReadStream } from "node:fs";
import { Readable } from "node:stream";

/** Downloads at once. More must wait: anonymous clients can start them, and each takes bandwidth from the dashboard. */
export const maxStreams = 16;
/** A slow client must not keep its place forever: 30 MB in this time is 33 kB/s. */
const maxMs = 15 * 60_000;

let streams = 0;

/** streamFile returns the content of a file, or null if too many clients download at the moment. */
export function streamFile(file: string, signal: AbortSignal): ReadableStream<Uint8Array> | null {
  if (streams >= maxStreams) return null;
  streams++;
  const content = createReadStream(file, { signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]) });
  content.once("close", () => {
    streams--;
  });
  return Readable.toWeb(content) as ReadableStream<Uint8Array>;
}
