import { FeedRefused } from "./feed-refused.ts";

/** parseJson takes a document of a host. What ends in the middle of itself was cut off on its way; what never was JSON is something else. */
export function parseJson(host: string, bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const begins = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
    throw begins
      ? new FeedRefused("truncated", `What ${host} sends ends in the middle.`, { cause })
      : new FeedRefused("malformed", `What ${host} sends is no JSON.`, { cause });
  }
}
