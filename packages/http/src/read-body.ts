import type { Readable } from "node:stream";
import { ResponseTooLong } from "./errors.ts";

/** readPieces yields a body in chunks, and throws once it is longer than allowed. */
export async function* readPieces(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of piecesOf(body)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ResponseTooLong("response", maxBytes);
    yield piece;
  }
}

export async function readText(body: Readable, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(body, maxBytes)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

const newline = 0x0a;

/** readLines yields each line that ends with a line break. What follows the last one was cut off. */
export async function* readLines(body: Readable, maxLineBytes: number): AsyncGenerator<string> {
  let started: Buffer[] = [];
  let startedBytes = 0;
  const add = (piece: Buffer) => {
    startedBytes += piece.length;
    if (startedBytes > maxLineBytes) throw new ResponseTooLong("line", maxLineBytes);
    started.push(piece);
  };
  for await (const piece of piecesOf(body)) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      add(piece.subarray(from, end));
      yield Buffer.concat(started).toString("utf8");
      started = [];
      startedBytes = 0;
      from = end + 1;
    }
    if (from < piece.length) add(piece.subarray(from));
  }
}

/** releaseBody ends a response that is not read. */
export function releaseBody(body: Readable): void {
  ignoreEnd(body);
  body.destroy();
}

/** A loop over the chunks destroys the body if it ends early. */
function piecesOf(body: Readable): AsyncIterable<Buffer> {
  ignoreEnd(body);
  return body as AsyncIterable<Buffer>;
}

/** Destroying a body early is an error of the stream. Without a listener it would end the process. */
function ignoreEnd(body: Readable): void {
  body.on("error", () => {});
}
