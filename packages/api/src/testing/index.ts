export { callProcedure } from "./call-procedure.ts";
export { createTestFleet, type Fleet } from "./fleet.ts";
export { type FleetIds, inputsFor, unknownIds } from "./inputs.ts";
export { readEvents, type StreamEvent } from "./read-events.ts";
export { type Served, serveFetch } from "./serve-fetch.ts";
export { addressHeader, createTestApi, type TestApi } from "./test-api.ts";
