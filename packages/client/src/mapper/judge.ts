import type { AddressMap } from "../map/address-map.ts";

/** A map and where it came from; `asked` numbers the questions in the order in which they were asked. */
export type Held = { map: AddressMap; etag: string | null; asked: number };

export type Verdict =
  | "accept"
  | "keep" // nothing new in it
  | "doubt" // older than what we hold: a slow answer, a lagging replica, or a server restored from a backup
  | "restored";

/**
 * judge says what to do with a map that was served. It never goes back to an older one, with one exception: a control
 * plane that was restored from a backup counts from an older generation. That is believed when two whole reads, the
 * second asked after the first was answered, both say so.
 */
export function judge(held: Held | null, heard: Held, isWhole: boolean, doubtedAt: number | null): Verdict {
  if (!held || heard.map.generation > held.map.generation) return "accept";
  if (heard.etag !== null && sameTag(heard.etag, held.etag)) return "keep";
  if (heard.asked < held.asked) return "keep";
  if (heard.map.generation === held.map.generation) return "accept";
  return isWhole && doubtedAt !== null && heard.asked > doubtedAt ? "restored" : "doubt";
}

/** Proxies that compress mark tags as weak. It is the same state all the same. */
function sameTag(a: string, b: string | null): boolean {
  return b !== null && a.replace(/^W\//, "") === b.replace(/^W\//, "");
}
