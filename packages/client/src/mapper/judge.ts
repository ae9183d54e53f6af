import type { AddressMap } from "../map/address-map.ts";

/** A map and its ETag. `requestNumber` counts requests in the order in which they were sent. */
export type Held = { map: AddressMap; etag: string | null; requestNumber: number };

export type Verdict =
  | "accept"
  | "keep" // nothing new in it
  | "doubt" // older than the current map: a slow response, a lagging replica, or a server restored from a backup
  | "restored";

/**
 * judge decides what to do with a received map. It never accepts an older map, with one exception: a control plane that was
 * restored from a backup counts from an older generation. It is accepted once two full reads return it, the second
 * sent after the first was received.
 */
export function judge(held: Held | null, received: Held, isWhole: boolean, doubtedAt: number | null): Verdict {
  if (!held || received.map.generation > held.map.generation) return "accept";
  if (received.etag !== null && sameTag(received.etag, held.etag)) return "keep";
  if (received.requestNumber < held.requestNumber) return "keep";
  if (received.map.generation === held.map.generation) return "accept";
  return isWhole && doubtedAt !== null && received.requestNumber > doubtedAt ? "restored" : "doubt";
}

/** Compressing proxies mark ETags as weak; the content is the same. */
function sameTag(a: string, b: string | null): boolean {
  return b !== null && a.replace(/^W\//, "") === b.replace(/^W\//, "");
}
