export { type Meters, type MetersOptions, startMeters } from "./start.ts";
