export { getOverview } from "./get.ts";
