export { type FeedServer, feedKeys, keyOf, serveFeeds } from "./serve-feeds.ts";
