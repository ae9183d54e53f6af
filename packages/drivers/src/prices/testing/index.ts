export { type FeedServer, feedKeys, serveFeeds } from "./serve-feeds.ts";
