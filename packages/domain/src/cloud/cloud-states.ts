/** How a cloud routes a service address to a replica, without a BGP router. */
export const cloudRouteMethods = ["route", "secondary-address", "elastic-address"] as const;

/** placed: read back at its replica; unserved: no replica is healthy; refused: rejected by the cloud or blocked by an existing entry. */
export const cloudAddressStates = ["placed", "moving", "unserved", "refused", "leaving"] as const;

/**
 * State of the metrics of a cloud. checking: no request yet; partial: some load balancers have none; unreachable: no response;
 * refused: a member must change the settings.
 */
export const cloudMetricsPhases = ["checking", "reading", "partial", "unreachable", "refused"] as const;
