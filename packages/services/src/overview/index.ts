export { getOverview, overviewPermissions } from "./get.ts";
