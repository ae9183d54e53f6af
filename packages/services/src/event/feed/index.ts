export { type FeedRead, type FeedRow, readFeed } from "./read-feed.sql.ts";
export { feedRetentionMs, sweepFeed } from "./retention.sql.ts";
