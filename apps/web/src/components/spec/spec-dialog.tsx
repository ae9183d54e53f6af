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
  hint,
}: {
  name: string;
  /** Where the API creates such an object. */
  path: string;
  spec: object;
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
      <Texts path={path} spec={spec} />
      {hint ? <p className="pt-4 text-muted text-xs">{hint}</p> : null}
    </Dialog>
  );
}

/** Its own component, so that the library for YAML is loaded only when the dialog opens. */
function Texts({ path, spec }: { path: string; spec: object }) {
  const origin = useOrigin();
  const yaml = useQuery({
    queryKey: ["spec as YAML", spec],
    queryFn: async () => (await import("yaml")).stringify(spec).trimEnd(),
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
        <h3 className="pb-1.5 font-medium text-sm">API request</h3>
        <CommandLine label="Request that creates it" command={curlOf(origin, path, spec)} />
        <p className="pt-1.5 text-muted text-xs">
          FAIRLEAD_KEY is an API key that may write such objects. Names are unique: change the name first.
        </p>
      </section>
    </div>
  );
}
