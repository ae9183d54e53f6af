import type { ServiceContext } from "../context.ts";

/** OpenContext is what a verb gets that belongs to no organisation: it may be anybody who asks. */
export type OpenContext = Pick<ServiceContext, "db" | "now" | "clientAddress">;
