import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "@fairlead/api/max-body-bytes";
import { onEveryRequest, type Step } from "./on-every-request.ts";
import { writeRefusal } from "./write-refusal.ts";

/** A client that still sends reads the answer only if the connection stays open meanwhile. */
const lingerMs = 2_000;

/**
 * limitBodies refuses bodies larger than the limit before anything reads or parses them: routes of libraries read a body
 * whole.
 */
export function limitBodies(): () => void {
  return onEveryRequest(limitBody);
}

const limitBody: Step = (request, response, next) => {
  const announced = request.headers["content-length"];
  if (announced !== undefined) return Number(announced) > maxBodyBytes ? refuseLarge(request, response) : next();
  if (request.headers["transfer-encoding"] === undefined) return next();
  collect(request, next, () => refuseLarge(request, response));
};

/**
 * collect holds back a body without a length until it is complete, so that one that grows too large is refused like any
 * other. Only the parser of Node's server pushes into a request, so what is pushed later looks the same to readers.
 */
function collect(request: IncomingMessage, complete: () => void, tooLarge: () => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      Reflect.deleteProperty(request, "push");
      for (const each of chunks) request.push(each);
      request.push(null);
      complete();
      return false;
    }
    size += chunk.byteLength;
    if (size <= maxBodyBytes) {
      chunks.push(chunk);
      return true;
    }
    Reflect.deleteProperty(request, "push");
    tooLarge();
    return true;
  };
}

/** The rest of the body is dropped, and the connection closed. */
function refuseLarge(request: IncomingMessage, response: ServerResponse): void {
  const detail = `A body may have ${maxBodyBytes} bytes at most.`;
  const title = "The request is too large";
  writeRefusal(response, { status: 413, kind: "too-large", title, detail, headers: { connection: "close" } });
  const linger = setTimeout(() => response.end(), lingerMs);
  request.once("close", () => clearTimeout(linger));
  request.once("end", () => response.end());
  request.once("error", () => {}); // the client is gone
  request.resume();
}
