"use client";
import { type Destination, destinations } from "./navigation.ts";
import { useSession } from "./session.tsx";

/** The pages that the user is allowed to read. */
export function useDestinations(): readonly Destination[] {
  const { permissions } = useSession();
  return destinations.filter(({ permission }) => !permission || permissions.includes(permission));
}
