import { FeedRefused } from "./feed-refused.ts";

/** parseJson distinguishes a document that was cut off from one that never was JSON. */
export function parseJson(host: string, bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const begins = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
    throw begins
      ? new FeedRefused("truncated", `The response of ${host} is incomplete.`, { cause })
      : new FeedRefused("malformed", `The response of ${host} is not JSON.`, { cause });
  }
}
