export { listAnnouncements } from "./list-announcements.ts";
export { listBgpSessions } from "./list-bgp-sessions.ts";
export { listCloudAddresses } from "./list-cloud-addresses.ts";
export { listRouteUpdates } from "./list-route-updates.ts";
export { listRoutes } from "./list-routes.ts";
export { queryRouteDelays } from "./query-route-delays.sql.ts";
export { updateRetentionMs } from "./sweep-updates.sql.ts";
export { writeRouterConfig } from "./write-router-config.ts";
