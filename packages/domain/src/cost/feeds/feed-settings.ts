import { type PriceFeedName, priceFeedNames } from "./refresh-words.ts";

type Problem = { problem: string };
export type PriceMirrors = Partial<Record<PriceFeedName, string>>;

/** readScheduledFeeds reads what FAIRLEAD_PRICE_FEEDS lists: feeds that are read every day, commas between. */
export function readScheduledFeeds(text: string | undefined): PriceFeedName[] | Problem {
  const feeds: PriceFeedName[] = [];
  for (const name of listed(text)) {
    const feed = feedOf(name);
    if (typeof feed === "object") return feed;
    if (!feeds.includes(feed)) feeds.push(feed);
  }
  return feeds;
}

/** readPriceMirrors reads what FAIRLEAD_PRICE_MIRRORS lists: feeds that are read elsewhere than at their providers, and where. */
export function readPriceMirrors(text: string | undefined): PriceMirrors | Problem {
  const mirrors: PriceMirrors = {};
  for (const each of listed(text)) {
    const [, name = each, address = ""] = /^([^=]*)=(.*)$/.exec(each) ?? [];
    const feed = feedOf(name);
    if (typeof feed === "object") return feed;
    if (!isMirror(address)) return { problem: `write each as ${feed}=https://host/path; one is "${each}"` };
    mirrors[feed] = address;
  }
  return mirrors;
}

function listed(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function feedOf(name: string): PriceFeedName | Problem {
  return (
    priceFeedNames.find((known) => known === name) ?? { problem: `"${name}" is none of ${priceFeedNames.join(", ")}` }
  );
}

/** isMirror wants TLS, for a key may be sent there; on this very machine there is no way to listen on. */
function isMirror(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
