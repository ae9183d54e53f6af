export type { GatewayOptions } from "./options.ts";
export { type Gateway, startGateway } from "./start.ts";
