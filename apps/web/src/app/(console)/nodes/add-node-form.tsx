"use client";
import { type CreatedEnrollmentToken, createEnrollmentToken } from "@fairlead/domain/cluster";
import { agentRoles } from "@fairlead/domain/node";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { LocalAddresses } from "@/components/node/local-addresses.tsx";
import { ClusterSelect, useChosenCluster } from "@/components/ui/form/cluster-select.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";

const lifetimes = [
  { minutes: 15, label: "15 minutes" },
  { minutes: 60, label: "1 hour" },
  { minutes: 24 * 60, label: "1 day" },
  { minutes: 7 * 24 * 60, label: "1 week" },
];

export type AgentRole = (typeof agentRoles)[number];

const roles: Record<AgentRole, string> = {
  node: "Node: reports figures of the machine",
  balancer: "Balancer: carries traffic of exposures",
  speaker: "Speaker: announces a balancer's addresses by BGP",
  reflector: "Reflector: passes routes of speakers on",
  router: "Router: installs routes in the kernel",
  backend: "Backend: lets servers take connections by TLS session",
  adaptive: "Adaptive: sends connections where they cost least",
};

export function AddNodeForm({
  clusterId,
  role: firstRole,
  onCreated,
  onCancel,
}: {
  clusterId: string | null;
  role: AgentRole;
  onCreated: (token: CreatedEnrollmentToken) => void;
  onCancel: () => void;
}) {
  const trpc = useTRPC();
  const [cluster, setCluster] = useState(clusterId ?? "");
  const [nodeName, setNodeName] = useState("");
  const [role, setRole] = useState<AgentRole>(firstRole);
  const [minutes, setMinutes] = useState(60);
  const isLab = useChosenCluster(cluster)?.kind === "lab";
  const errors = useFormErrors(["clusterId", "roles", "nodeName", "expiresInMinutes"]);
  const create = useMutation(
    trpc.enrollmentToken.create.mutationOptions({ onSuccess: onCreated, onError: errors.fail }),
  );

  function submit() {
    if (!cluster) return errors.set({ clusterId: "Choose a cluster." });
    const name = nodeName.trim();
    const named = name ? { nodeName: name } : {};
    const input = { clusterId: cluster, roles: [role], expiresInMinutes: minutes, ...named };
    const checked = errors.check(createEnrollmentToken, input);
    if (checked) create.mutate(checked);
  }

  return (
    <Form failures={errors.failures} className="flex flex-col gap-4" onSubmit={submit}>
      <LocalAddresses of="machine" />
      <Field
        label="Cluster"
        docs={isLab ? "labTopologies" : null}
        required
        error={errors.of("clusterId")}
        {...(isLab
          ? { hint: "A lab starts the agents of its nodes by its topology. The token adds another machine." }
          : {})}
      >
        {(control) => <ClusterSelect control={control} value={cluster} onChange={setCluster} />}
      </Field>
      <Field label="Role" docs="nodes" required error={errors.of("roles")}>
        {(control) => (
          <Select
            {...control}
            value={role}
            onChange={({ target }) => setRole(agentRoles.find((each) => each === target.value) ?? role)}
          >
            {agentRoles.map((each) => (
              <option key={each} value={each}>
                {roles[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          docs={null}
          hint="If empty, the host name of the machine is used."
          error={errors.of("nodeName")}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder="rack-3-node-7"
              value={nodeName}
              onChange={(event) => setNodeName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Token valid for" docs="nodes" required error={errors.of("expiresInMinutes")}>
          {(control) => (
            <Select {...control} value={minutes} onChange={(event) => setMinutes(Number(event.target.value))}>
              {lifetimes.map((lifetime) => (
                <option key={lifetime.minutes} value={lifetime.minutes}>
                  {lifetime.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <FormFoot problem={errors.general} action="Create token" busy={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
