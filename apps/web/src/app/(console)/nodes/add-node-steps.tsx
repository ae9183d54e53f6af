"use client";
import type { CreatedEnrollmentToken } from "@fairlead/domain/cluster";
import type { ControlPlane } from "@fairlead/domain/node";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Fold } from "@/components/kubernetes/fold.tsx";
import { type Platform, platforms, useAgentChecksum } from "@/components/node/use-agent-checksum.ts";
import { CommandLine } from "@/components/ui/action/command-line.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useTRPC } from "@/trpc/client.tsx";

/** The same as the one command, for those who read what they run, or have no systemd. */
export function AddNodeSteps({ token }: { token: CreatedEnrollmentToken }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.controlPlane.get.queryOptions());
  const [isOpen, setOpen] = useState(false);
  return (
    <Fold title="Step by step" onOpen={setOpen}>
      {isOpen && data ? <Steps token={token} controlPlane={data} /> : null}
    </Fold>
  );
}

function Steps({ token, controlPlane: { url } }: { token: CreatedEnrollmentToken; controlPlane: ControlPlane }) {
  const [platform, setPlatform] = useState<Platform>("linux-amd64");
  const checksum = useAgentChecksum(platform);
  const sha256 = checksum && "sha256" in checksum ? checksum.sha256 : null;
  return (
    <ol className="flex list-decimal flex-col gap-3 pl-4 marker:text-muted">
      <li>
        Download the agent and check it.
        <div className="mt-1.5 flex flex-col gap-2">
          <Field label="Processor" docs={null} required className="max-w-48">
            {(control) => (
              <Select
                {...control}
                value={platform}
                onChange={({ target }) =>
                  setPlatform(platforms.find(({ name }) => name === target.value)?.name ?? platform)
                }
              >
                {platforms.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {sha256 ? (
            <CommandLine
              label="Commands to download the agent"
              wraps
              command={`curl -fsSLO ${url}/download/agent/${platform}\necho '${sha256}  ${platform}' | sha256sum --check`}
            />
          ) : (
            <p role="status" className="text-muted">
              {checksum && "problem" in checksum ? checksum.problem : "Loading the checksum."}
            </p>
          )}
        </div>
      </li>
      <li>
        Install it.
        <div className="mt-1.5">
          <CommandLine
            label="Command to install the agent"
            command={`sudo install -m 755 ${platform} /usr/local/bin/fairlead-agent`}
          />
        </div>
      </li>
      <li>
        Start it as root. It runs until you stop it: for a service, use the command above.
        <div className="mt-1.5">
          <CommandLine label="Command to start the agent" wraps command={token.command} />
        </div>
      </li>
    </ol>
  );
}
