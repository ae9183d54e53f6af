"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import {
  passwordToFill,
  type RouterConfigFormat,
  type RouterConfigRole,
  rolesOfFormat,
  routerConfigFormats,
  routerConfigRoles,
  type ShownClusterRouting,
  titleOfFormat,
} from "@fairlead/domain/routing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { Skeleton } from "@/components/ui/layout/skeleton.tsx";
import { Mono } from "@/components/ui/mono.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { problemOf } from "@/trpc/problem.ts";

const titleOfRole: Record<RouterConfigRole, string> = {
  router: "Router, which spreads flows over balancers",
  reflector: "Reflector, which forwards routes of balancers",
  speaker: "Host with its own services",
};
const formatsOf = (role: RouterConfigRole) =>
  routerConfigFormats.filter((format) => rolesOfFormat[format].includes(role));

/** The configuration of an external router, reflector or host. */
export function RouterConfig({ cluster, routing }: { cluster: Cluster; routing: ShownClusterRouting }) {
  const trpc = useTRPC();
  const [role, setRole] = useState<RouterConfigRole>("router");
  const [format, setFormat] = useState<RouterConfigFormat>("frr");
  const [router, setRouter] = useState("");
  const [reflector, setReflector] = useState("");
  const [written, setWritten] = useState({ address: "", address6: "" });
  const named = {
    router: nameIn(routing.routers, router),
    reflector: nameIn(routing.reflectors, reflector),
    address: written.address.trim(),
    address6: written.address6.trim(),
  };
  const lacks = lackOf(role, named);
  const { data, error } = useQuery(
    trpc.cluster.writeRouterConfig.queryOptions(
      { id: cluster.id, format, role, ...selectionOf(role, named) },
      { enabled: lacks === null, retry: false },
    ),
  );
  const choose = (next: RouterConfigRole) => {
    setRole(next);
    if (!rolesOfFormat[format].includes(next)) setFormat(formatsOf(next)[0] ?? format);
  };
  const title = titleOfFormat[format];
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-accent text-sm">Configuration of external routers</summary>
      <div className="mt-3 flex flex-col gap-3">
        <div className="grid gap-3 sm:max-w-xl sm:grid-cols-2">
          <Field label="Role" docs="routerConfigurations" required className="sm:col-span-2">
            {(control) => (
              <Select {...control} value={role} onChange={({ target }) => choose(target.value as RouterConfigRole)}>
                {routerConfigRoles.map((each) => (
                  <option key={each} value={each}>
                    {titleOfRole[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Software" docs="routerConfigurations" required>
            {(control) => (
              <Select
                {...control}
                value={format}
                onChange={({ target }) => setFormat(target.value as RouterConfigFormat)}
              >
                {formatsOf(role).map((each) => (
                  <option key={each} value={each}>
                    {titleOfFormat[each]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {role === "router" ? (
            <OneOf label="Router" list={routing.routers} value={named.router} onChange={setRouter} />
          ) : role === "reflector" ? (
            <OneOf label="Reflector" list={routing.reflectors} value={named.reflector} onChange={setReflector} />
          ) : (
            <>
              <Field label="Host address" docs="routerConfigurations" required>
                {(control) => (
                  <Input
                    {...control}
                    placeholder="10.0.0.50"
                    value={written.address}
                    onChange={({ target }) => setWritten({ ...written, address: target.value })}
                  />
                )}
              </Field>
              <Field
                label="IPv6 address"
                docs="routerConfigurations"
                className="sm:col-start-2"
                hint="If the host also has IPv6 services."
              >
                {(control) => (
                  <Input
                    {...control}
                    placeholder="2001:db8::50"
                    value={written.address6}
                    onChange={({ target }) => setWritten({ ...written, address6: target.value })}
                  />
                )}
              </Field>
            </>
          )}
        </div>
        {lacks ? (
          <p className="text-muted text-sm">{lacks}</p>
        ) : data ? (
          <>
            {data.notes.length > 0 ? <Notes notes={data.notes} hasGap={data.text.includes(passwordToFill)} /> : null}
            <CommandLine command={data.text.trimEnd()} label={`Configuration for ${title}`} />
          </>
        ) : error ? (
          <p role="alert" className="text-sm">
            {problemOf(error).message}
          </p>
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
      </div>
    </details>
  );
}

type Named = { router: string; reflector: string; address: string; address6: string };

/** nameIn keeps a selection as long as it exists in the routing, which another user may change. */
const nameIn = (list: { name: string }[], chosen: string) =>
  list.some(({ name }) => name === chosen) ? chosen : (list[0]?.name ?? "");

/** lackOf returns what is missing for the configuration. */
function lackOf(role: RouterConfigRole, { router, reflector, address }: Named): string | null {
  if (role === "router") return router ? null : "Add a router to the cluster's routing first.";
  if (role === "reflector")
    return reflector ? null : "The cluster has no reflector. Its balancers peer with routers directly.";
  return address ? null : "Enter the address of the host.";
}

function selectionOf(role: RouterConfigRole, { router, reflector, address, address6 }: Named) {
  if (role === "router") return { router };
  if (role === "reflector") return { reflector };
  return { address, ...(address6 ? { address6 } : {}) };
}

function OneOf({
  label,
  list,
  value,
  onChange,
}: {
  label: string;
  list: { name: string }[];
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <Field label={label} docs="routerConfigurations" required>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {list.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** What to know before loading the configuration. The file starts with the same text. */
function Notes({ notes, hasGap }: { notes: string[]; hasGap: boolean }) {
  return (
    <ul aria-label="Before you load it" className="flex list-disc flex-col gap-1 pl-5 text-sm">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
      {hasGap ? (
        <li>
          The placeholder is <Mono>{passwordToFill}</Mono>.
        </li>
      ) : null}
    </ul>
  );
}
