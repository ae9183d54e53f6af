import { useSyncExternalStore } from "react";

/** useOrigin returns the address under which the dashboard is open; empty on the server. */
export function useOrigin(): string {
  return useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => "",
  );
}
