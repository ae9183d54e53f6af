"use client";
import { useQuery } from "@tanstack/react-query";
import { FileCode } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/action/button.tsx";
import { CommandLine } from "../ui/action/command-line.tsx";
import { Dialog } from "../ui/overlay/dialog.tsx";
import { curlOf } from "./curl.ts";
import { useOrigin } from "./use-origin.ts";

/** A button that shows the spec of an object as YAML, and the API request that creates it again. */
export function SpecDialog({
  name,
  path,
  spec,
  settings = null,
  hint,
}: {
  name: string;
  /** Where the API creates such an object. */
  path: string;
  spec: object;
  /** What is set after the object is created, by its id. */
  settings?: object | null;
  hint?: ReactNode;
}) {
  return (
    <Dialog
      wide
      title={`Spec of ${name}`}
      description="To keep in a repository, or to create the object again."
      trigger={
        <Button size="sm">
          <FileCode aria-hidden />
          YAML and curl
        </Button>
      }
    >
      <Texts path={path} spec={spec} settings={settings} />
      {hint ? <p className="pt-4 text-muted text-xs">{hint}</p> : null}
    </Dialog>
  );
}

/** Its own component, so that the library for YAML is loaded only when the dialog opens. */
function Texts({ path, spec, settings }: { path: string; spec: object; settings: object | null }) {
  const origin = useOrigin();
  const whole = { ...spec, ...settings };
  const yaml = useQuery({
    queryKey: ["spec as YAML", whole],
    queryFn: async () => (await import("yaml")).stringify(whole).trimEnd(),
  });
  return (
    <div className="flex flex-col gap-4">
      <section>
        <h3 className="pb-1.5 font-medium text-sm">YAML</h3>
        {yaml.error ? (
          <p role="alert" className="text-sm">
            The page could not load what writes YAML. Reload it.
          </p>
        ) : (
          <CommandLine label="Spec as YAML" command={yaml.data ?? "…"} />
        )}
      </section>
      <section>
        <h3 className="pb-1.5 font-medium text-sm">{settings ? "API requests" : "API request"}</h3>
        <CommandLine label="Request that creates it" command={curlOf(origin, { path, spec })} />
        {settings ? (
          <>
            <p className="py-1.5 text-muted text-xs">Then, with the id in the response instead of ID:</p>
            <CommandLine
              label="Request that sets the rest"
              command={curlOf(origin, { method: "PATCH", path: `${path}/ID`, spec: settings })}
            />
          </>
        ) : null}
        <p className="pt-1.5 text-muted text-xs">
          FAIRLEAD_KEY is an API key that may write such objects. Names are unique: change the name first.
        </p>
      </section>
    </div>
  );
}
