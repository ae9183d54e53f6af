import type { PriceFeedName } from "@fairlead/domain/cost";
import type { FeedFault } from "../feed-refused.ts";
import { type FetchLimits, feedLimits } from "../open-fetcher.ts";
import { feedReader } from "../read-feed.ts";
import { type FeedServer, keyOf } from "./serve-feeds.ts";

export const testNow = new Date("2026-11-25T12:00:00Z");
/** A small size limit, which a test reaches quickly, but enough time for a busy machine. */
export const testLimits: FetchLimits = { ...feedLimits, mostBytes: 200_000, silenceMs: 20_000, wholeMs: 60_000 };
/** For servers that are silent or too slow. */
export const shortLimits = { silenceMs: 300, wholeMs: 3_000 };

/** Regions that the fixture of each feed has. */
const places: Record<PriceFeedName, string[]> = {
  aws: ["eu-west-1", "us-east-1"],
  "aws-machines": ["eu-central-1", "us-east-1"],
  azure: ["eastus"],
  gcp: ["us-central1"],
  oracle: [],
  hetzner: [],
};

/** refusalOf reads a feed of a test's server, and returns the fault and its message, or "taken" if there is none. */
export async function refusalOf(
  server: FeedServer,
  feed: PriceFeedName,
  options: { key?: string | null; limits?: Partial<FetchLimits> } = {},
): Promise<string> {
  const key = options.key === undefined ? keyOf(feed) : options.key;
  const read = feedReader({ [feed]: { url: server.urlOf(feed), key } }, { ...testLimits, ...options.limits });
  return read(feed, { regions: places[feed] }, { signal: new AbortController().signal, now: testNow }).then(
    () => "taken",
    (error: { fault?: FeedFault; message: string }) => `${error.fault}: ${error.message}`,
  );
}
