export { type FeedFault, FeedRefused } from "./feed-refused.ts";
export { type FetchLimits, feedLimits } from "./open-fetcher.ts";
export { type FeedAccess, type FeedReader, feedReader } from "./read-feed.ts";
