export { querySeries } from "./query.sql.ts";
