"use client";
import {
  type Cluster,
  type RouterConfigFormat,
  routerFormats,
  type ShownClusterRouting,
  speakerFormats,
} from "@fairlead/domain";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CommandLine } from "@/components/ui/command-line.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

const titles: Record<RouterConfigFormat, string> = {
  frr: "FRR",
  bird: "BIRD",
  junos: "Junos",
  eos: "Arista EOS",
  "ios-xr": "Cisco IOS XR",
  gobgp: "GoBGP, a host with services of its own",
  exabgp: "ExaBGP, a host with services of its own",
};
const isSpeaker = (format: RouterConfigFormat) => speakerFormats.some((each) => each === format);

/** The text that joins a router of somebody else's. */
export function RouterConfig({ cluster, routing }: { cluster: Cluster; routing: ShownClusterRouting }) {
  const trpc = useTRPC();
  const [format, setFormat] = useState<RouterConfigFormat>("frr");
  const [router, setRouter] = useState(routing.routers[0]?.name ?? "");
  const [address, setAddress] = useState("");
  const lacks = isSpeaker(format) ? address.trim() === "" : router === "";
  const asked = isSpeaker(format) ? { address: address.trim() } : { router };
  const query = useQuery(
    trpc.cluster.writeRouterConfig.queryOptions(
      { id: cluster.id, format, ...asked },
      { enabled: !lacks, retry: false },
    ),
  );
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-accent text-sm">Configuration for a router of your own</summary>
      <div className="mt-3 flex flex-col gap-3">
        <div className="grid gap-3 sm:max-w-xl sm:grid-cols-2">
          <Field label="Software" required>
            {(control) => (
              <Select
                {...control}
                value={format}
                onChange={({ target }) => setFormat(target.value as RouterConfigFormat)}
              >
                {[...routerFormats, ...speakerFormats].map((each) => (
                  <option key={each} value={each}>
                    {titles[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {isSpeaker(format) ? (
            <Field label="Address of the host" required>
              {(control) => (
                <Input
                  {...control}
                  placeholder="10.0.0.50"
                  value={address}
                  onChange={({ target }) => setAddress(target.value)}
                />
              )}
            </Field>
          ) : (
            <Field label="Router" required>
              {(control) => (
                <Select {...control} value={router} onChange={({ target }) => setRouter(target.value)}>
                  {routing.routers.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        </div>
        {lacks ? (
          <p className="text-muted text-sm">
            {isSpeaker(format) ? "Its address makes the text." : "Name a router in the cluster’s routing first."}
          </p>
        ) : query.data ? (
          <CommandLine command={query.data.text.trimEnd()} label={`Configuration for ${titles[format]}`} />
        ) : query.error ? (
          <p role="alert" className="text-sm">
            {problemOf(query.error).message}
          </p>
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
      </div>
    </details>
  );
}
