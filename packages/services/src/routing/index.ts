export { listAnnouncements } from "./list-announcements.ts";
export { listBgpSessions } from "./list-bgp-sessions.ts";
export { listRoutes } from "./list-routes.ts";
export { writeRouterConfig } from "./write-router-config.ts";
