"use client";
import type { Exposure } from "@fairlead/domain/exposure";
import { exposureLookedAtEveryMs } from "@fairlead/domain/node";
import { useQuery } from "@tanstack/react-query";
import { useOrigin } from "@/components/spec/use-origin.ts";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";
import { useMay } from "../frame/session.tsx";
import { CommandLine } from "../ui/action/command-line.tsx";
import { Section } from "../ui/layout/section.tsx";
import { Age } from "../ui/time/age.tsx";
import { CopyMap } from "./copy-map.tsx";
import { MapAccess } from "./map-access.tsx";
import { MapChanges } from "./map-changes.tsx";
import { MapPicture, MapPicturePlace } from "./map-picture.tsx";
import { MapReaders } from "./map-readers.tsx";
import { MapTable } from "./map-table.tsx";
import { NoMap } from "./no-map.tsx";

type Props = {
  exposure: Exposure;
  /** How many instances to leave room for while the map loads. */
  expected: number;
};

/** The address map of an exposure: its content, its picture, its changes and its readers. */
export function MapSection({ exposure, expected }: Props) {
  const trpc = useTRPC();
  const mayAudit = useMay("audit:read");
  const mayRead = useMay("map:read");
  const { id } = exposure;
  const { data, error } = useQuery(trpc.addressMap.get.queryOptions({ id }, { enabled: mayRead }));
  const map = data?.map;
  if (!mayRead)
    return (
      <Section title="Address map">
        <NoMap />
      </Section>
    );
  return (
    <>
      <Section
        title="Address map"
        hint={
          map ? (
            <>
              generation {map.generation}, seen <Age at={map.observedAt} expectedEveryMs={exposureLookedAtEveryMs} />
            </>
          ) : null
        }
        actions={map && map.entries.length > 0 ? <CopyMap map={map} /> : null}
      >
        {error && !map ? (
          <p role="alert" className="py-2 text-sm">
            {problemOf(error).message}
          </p>
        ) : (
          <div className="flex flex-col gap-6">
            {map ? <MapPicture entries={map.entries} /> : <MapPicturePlace instances={expected} />}
            <MapTable exposureId={id} entries={map?.entries} expected={expected} />
            <ForClients id={id} generation={map?.generation ?? 0} />
          </div>
        )}
      </Section>
      <div className="grid gap-8 lg:grid-cols-2">
        <Section title="Map changes">
          <MapChanges exposureId={id} />
        </Section>
        <Section title="Map readers">
          <div className="flex flex-col gap-4">
            <MapAccess exposureId={id} />
            {mayAudit ? <MapReaders exposureId={id} /> : null}
          </div>
        </Section>
      </div>
    </>
  );
}

/** The request with which a client waits for the next map. */
function ForClients({ id, generation }: { id: string; generation: number }) {
  const origin = useOrigin();
  const command = `curl -H "Authorization: Bearer fl_…" "${origin}/api/v1/exposures/${id}/mappings?wait=30s&after=${generation}"`;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-sm">
        A client waits for the next generation, as JSON. A path that ends in <code>mappings.yaml</code> returns YAML:
      </p>
      <CommandLine label="Wait for the next map" command={command} />
    </div>
  );
}
