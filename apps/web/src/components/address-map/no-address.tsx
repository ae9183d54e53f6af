"use client";
import { NoneYet } from "../detail/none-yet.tsx";
import { useMay } from "../frame/session.tsx";
import { NoMap } from "./no-map.tsx";

/** The placeholder for an address: there is none, or the user doesn't get it. */
export function NoAddress({ deleting }: { deleting: boolean }) {
  return useMay("map:read") ? (
    <NoneYet deleting={deleting} />
  ) : (
    <NoMap className="font-normal text-muted text-sm tracking-normal" />
  );
}
