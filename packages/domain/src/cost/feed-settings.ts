import { type PriceFeedName, priceFeeds } from "./refresh-words.ts";

/** FeedSetting is a feed that is read every day, and where: null for its provider's own place. */
export type FeedSetting = { feed: PriceFeedName; url: string | null };

/** readFeedSettings reads what FAIRLEAD_PRICE_FEEDS lists: feeds, commas between, each perhaps with the address of a mirror. */
export function readFeedSettings(text: string | undefined): FeedSetting[] | { problem: string } {
  const settings: FeedSetting[] = [];
  for (const each of (text ?? "").split(",").map((one) => one.trim())) {
    if (each === "") continue;
    const [, name = each, address = null] = /^([^=]*)=(.*)$/.exec(each) ?? [];
    const feed = priceFeeds.find((known) => known === name);
    if (!feed) return { problem: `"${name}" is none of ${priceFeeds.join(", ")}` };
    if (settings.some((other) => other.feed === feed)) return { problem: `${feed} is there twice` };
    if (address !== null && !isMirror(address))
      return { problem: `write a mirror as ${feed}=https://host/path; it is "${each}"` };
    settings.push({ feed, url: address });
  }
  return settings;
}

/** isMirror wants TLS, for a key may be sent there; on this very machine there is no way to listen on. */
function isMirror(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
