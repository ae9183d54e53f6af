"use client";
import type { ExposureDetail } from "@fairlead/domain/exposure";
import { FirstRows } from "@/components/detail/first-rows.tsx";
import { AddressRouting } from "@/components/routing/address-routing.tsx";
import { CutNote } from "@/components/routing/cut-note.tsx";
import { SessionTable } from "@/components/routing/session-table.tsx";
import { maxLookedUp, useSessionsOf } from "@/components/routing/use-address-routing.ts";
import { ErrorState } from "@/components/ui/layout/error-state.tsx";
import { Section } from "@/components/ui/layout/section.tsx";
import { countOf } from "@/components/words/numbers.ts";
import { problemOf } from "@/trpc/problem.ts";
import { PlacementsTable } from "./placements-table.tsx";

const firstShown = 8;

/** How clients' packets find an exposure: announcements, next hops, and the BGP sessions of its nodes. */
export function ExposureRouting({ exposure }: { exposure: ExposureDetail }) {
  const nodeIds = [...new Set(exposure.replicas.flatMap(({ nodeId }) => nodeId ?? []))];
  const sessions = useSessionsOf(nodeIds);
  return (
    <>
      {exposure.clusters.length > 0 ? (
        <Section title="Clusters" hint="all announce the same address; shares of new connections">
          <PlacementsTable exposure={exposure} />
        </Section>
      ) : null}
      <AddressRouting clusterId={exposure.clusterId} addresses={exposure.addresses} />
      {sessions.error || (sessions.items && sessions.items.length > 0) ? (
        <Section
          title="Sessions"
          hint={
            nodeIds.length > maxLookedUp
              ? `the first ${maxLookedUp} of ${countOf(nodeIds.length, "node")}`
              : "the local end of each, of the nodes of its replicas"
          }
        >
          {sessions.error ? (
            <ErrorState what="Could not load its BGP sessions" message={problemOf(sessions.error).message} />
          ) : (
            <FirstRows rows={sessions.items} first={firstShown}>
              {(shown) => <SessionTable sessions={shown} />}
            </FirstRows>
          )}
          <CutNote of={sessions} href={`/routing?cluster=${exposure.clusterId}`} />
        </Section>
      ) : null}
    </>
  );
}
