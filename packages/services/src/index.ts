export * from "./access/index.ts";
export * from "./address-map/index.ts";
export * from "./address-pool/index.ts";
export * from "./agent/index.ts";
export * from "./attention/index.ts";
export * from "./audit/index.ts";
export { ensureAuthority } from "./authority/ensure.ts";
export { authorityFingerprint } from "./authority/fingerprint.ts";
export * from "./budget/index.ts";
export * from "./cluster/index.ts";
export { authorize, type ServiceContext, type ServiceSettings } from "./context.ts";
export { appendFeed, feedChannel } from "./control/append-feed.sql.ts";
export { countConnections, pingDatabase } from "./control/connections.sql.ts";
export { idempotencyKeyLastsMs, type OnceAnswer, runOnce } from "./control/idempotency.ts";
export { sweepIdempotencyKeys } from "./control/idempotency-answer.sql.ts";
export { isMigrated } from "./control/is-migrated.ts";
export { markCloudRoute } from "./control/mark-cloud-route.sql.ts";
export { markDirty, markManyDirty, type TaskKind, taskChannel } from "./control/mark-dirty.sql.ts";
export { describeOutage } from "./control/outage.ts";
export { recordDampedEvent, recordDampedEvents } from "./control/record-damped-event.ts";
export { recordEvent } from "./control/record-event.ts";
export { getControlPlane } from "./control-plane/get.ts";
export * from "./cost/index.ts";
export * from "./enrollment-token/index.ts";
export * from "./event/feed/index.ts";
export * from "./event/index.ts";
export * from "./experiment/index.ts";
export * from "./exposure/index.ts";
export { agentChannel, notifyAgents } from "./gateway/config/notify-agents.sql.ts";
export { selectPlacedOn } from "./gateway/config/placed-exposures.sql.ts";
export {
  formatEnrollmentToken,
  hashEnrollmentSecret,
  newEnrollmentSecret,
} from "./gateway/enroll/enrollment-token.ts";
export * from "./instance/index.ts";
export * from "./inventory/index.ts";
export * from "./kubernetes/index.ts";
export * from "./load-balancer/index.ts";
export * from "./node/index.ts";
export * from "./overview/index.ts";
export * from "./price-book/index.ts";
export * from "./retention/index.ts";
export * from "./routing/index.ts";
export * from "./routing-table/index.ts";
export { openSecretBox, type SecretBox } from "./secret/index.ts";
export * from "./series/index.ts";
export * from "./traffic-flow/index.ts";
export * from "./usage/index.ts";
