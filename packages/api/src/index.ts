export { createCaller, type RouterInputs, type RouterOutputs } from "./caller.ts";
export type { ApiContext, Fault, Identity } from "./context.ts";
export type { ErrorData } from "./error-shape.ts";
export { FeedHub, type FeedHubOptions } from "./live/feed-hub.ts";
export type { LiveMessage } from "./live/message.ts";
export { openApiDocument } from "./openapi/document.ts";
export { type RestAnswer, type RestOptions, restHandler } from "./rest/handler.ts";
export { maxBodyBytes } from "./rest/read-body.ts";
export { type AppRouter, appRouter } from "./root.ts";
