import { type PriceFeedName, priceFeedNames } from "./refresh-words.ts";

type Problem = { problem: string };
export type PriceMirrors = Partial<Record<PriceFeedName, string>>;

/** readScheduledFeeds parses FAIRLEAD_PRICE_FEEDS: comma-separated feeds that are fetched every day. */
export function readScheduledFeeds(text: string | undefined): PriceFeedName[] | Problem {
  const feeds: PriceFeedName[] = [];
  for (const name of listed(text)) {
    const feed = feedOf(name);
    if (typeof feed === "object") return feed;
    if (!feeds.includes(feed)) feeds.push(feed);
  }
  return feeds;
}

/** readPriceMirrors parses FAIRLEAD_PRICE_MIRRORS: the addresses of feeds that aren't fetched from their providers. */
export function readPriceMirrors(text: string | undefined): PriceMirrors | Problem {
  const mirrors: PriceMirrors = {};
  for (const each of listed(text)) {
    const [, name = each, address = ""] = /^([^=]*)=(.*)$/.exec(each) ?? [];
    const feed = feedOf(name);
    if (typeof feed === "object") return feed;
    if (!isMirror(address)) return { problem: `enter each as ${feed}=https://host/path; one is "${each}"` };
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

/** isMirror requires TLS, because an API key may be sent there. Loopback can't be intercepted. */
function isMirror(address: string): boolean {
  const url = URL.parse(address);
  if (!url || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
