"use client";
import { type Agent, allowableRoles, updateAgent } from "@fairlead/domain/node";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormFoot } from "@/components/ui/form/form-foot.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { notify } from "@/components/ui/layout/notices.tsx";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";

const effects: Record<(typeof allowableRoles)[number], string> = {
  node: "reports figures of the machine",
  balancer: "carries load balancers",
  speaker: "announces addresses by BGP; receives the BGP password",
  reflector: "passes routes on; receives the BGP password",
  router: "receives routes for its kernel; receives the BGP password",
  backend: "lets servers of its node take connections by TLS session; receives keys of exposures",
  adaptive: "distributes the connections that start at its node; receives the key of figures",
  lab: "reports the instances of its cluster",
};

/** Shows the roles of an agent and lets owners change which ones it may run as. */
export function AgentRoles({ agent, nodeName }: { agent: Agent; nodeName: string }) {
  const [open, setOpen] = useState(false);
  const others = agent.allowedRoles.filter((each) => !agent.roles.includes(each));
  return (
    <div className="flex flex-col items-start gap-0.5">
      <span>{agent.roles.join(", ") || "none"}</span>
      {others.length > 0 ? <span className="text-muted text-xs">also allowed: {others.join(", ")}</span> : null}
      {agent.revokedAt ? null : (
        <GuardedButton
          permission="agent:write"
          size="sm"
          variant="quiet"
          className="-ml-2"
          onClick={() => setOpen(true)}
        >
          Change roles
        </GuardedButton>
      )}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Roles of the agent of ${nodeName}`}
        description="The agent is refused when it runs as a role that is not allowed. Its enrolment token set the roles."
      >
        {open ? <RolesForm agent={agent} nodeName={nodeName} onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  );
}

function RolesForm({ agent, nodeName, onDone }: { agent: Agent; nodeName: string; onDone: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [allowed, setAllowed] = useState<readonly string[]>(agent.allowedRoles);
  const errors = useFormErrors(["allowedRoles"]);
  const ended = agent.roles.filter((each) => !allowed.includes(each));
  const update = useMutation(
    trpc.agent.update.mutationOptions({
      onSuccess() {
        notify(`Saved the roles of the agent of ${nodeName}.`);
        onDone();
        return queryClient.invalidateQueries({ queryKey: trpc.node.pathKey() });
      },
      onError: errors.fail,
    }),
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = errors.check(updateAgent, { allowedRoles: allowed });
        if (spec) update.mutate({ id: agent.id, ...spec });
      }}
    >
      <Fieldset
        title="Allowed roles"
        docs="nodes"
        className="flex flex-col gap-2"
        legendClassName="mb-2 font-medium text-sm"
      >
        {allowableRoles.map((role) => (
          <label key={role} htmlFor={`${agent.id}-${role}`} className="flex items-start gap-2 text-sm">
            <Checkbox
              id={`${agent.id}-${role}`}
              className="mt-0.5"
              checked={allowed.includes(role)}
              onChange={({ target }) =>
                setAllowed((before) => (target.checked ? [...before, role] : before.filter((each) => each !== role)))
              }
            />
            <span>
              {role} <span className="text-muted">{effects[role]}</span>
            </span>
          </label>
        ))}
      </Fieldset>
      {ended.length > 0 ? (
        <p className="text-sm text-warn">
          The agent runs as {ended.join(", ")} now. It is refused until it restarts without this role.
        </p>
      ) : null}
      <FormFoot
        problem={errors.of("allowedRoles") ?? errors.general}
        action="Save roles"
        busy={update.isPending}
        onCancel={onDone}
      />
    </Form>
  );
}
