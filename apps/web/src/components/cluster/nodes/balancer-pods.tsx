"use client";
import type { Cluster } from "@fairlead/domain/cluster";
import { enginesWith } from "@fairlead/domain/exposure";
import { type BalancerManifest, createBalancerManifest } from "@fairlead/domain/load-balancer";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Container } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { LocalAddresses } from "@/components/node/local-addresses.tsx";
import { Button } from "@/components/ui/action/button.tsx";
import { Field } from "@/components/ui/form/field.tsx";
import { Form } from "@/components/ui/form/form.tsx";
import { FormProblem } from "@/components/ui/form/form-foot.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { useFormErrors } from "@/components/ui/form/use-form-errors.ts";
import { Dialog } from "@/components/ui/overlay/dialog.tsx";
import { useTRPC } from "@/trpc/client.tsx";
import { CreatedManifest } from "./created-manifest.tsx";

/** Balancers as pods: a form for the image and the permissions, then the manifest, which is shown once. */
export function BalancerPods({ cluster }: { cluster: Cluster }) {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<BalancerManifest | null>(null);
  return (
    <>
      <GuardedButton permission="node:write" size="sm" onClick={() => setOpen(true)}>
        <Container aria-hidden />
        Balancers as pods
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (!next) setMade(null);
        }}
        wide
        title={`Balancers as pods of ${cluster.name}`}
        description="A DaemonSet that runs a balancer on each node, next to a speaker that announces its addresses by BGP."
      >
        {made ? <CreatedManifest cluster={cluster} made={made} /> : <ManifestForm cluster={cluster} onMade={setMade} />}
      </Dialog>
    </>
  );
}

function ManifestForm({ cluster, onMade }: { cluster: Cluster; onMade: (made: BalancerManifest) => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [image, setImage] = useState("");
  const [network, setNetwork] = useState("pod");
  const [rights, setRights] = useState("net-admin");
  const [where, setWhere] = useState("eth0");
  const errors = useFormErrors(["image", "network", "rights", "interface"]);
  const create = useMutation(
    trpc.cluster.createBalancerManifest.mutationOptions({
      onSuccess(made) {
        void queryClient.invalidateQueries(trpc.enrollmentToken.pathFilter());
        onMade(made);
      },
      onError: errors.fail,
    }),
  );
  return (
    <Form
      failures={errors.failures}
      className="flex flex-col gap-4"
      onSubmit={() => {
        const spec = { id: cluster.id, image: image.trim(), network, rights, interface: where.trim() };
        const checked = errors.check(createBalancerManifest, spec);
        if (checked) create.mutate(checked);
      }}
    >
      <LocalAddresses of="pod" />
      <Field
        label="Image"
        docs="balancerImage"
        required
        hint="Built from deploy/agent.Dockerfile, in a registry that your nodes can reach."
        error={errors.of("image")}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder="registry.example.com/fairlead-agent:1.0.0"
            value={image}
            onChange={({ target }) => setImage(target.value)}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Network"
          docs="balancerPods"
          required
          hint={
            network === "node"
              ? "Routers on the same link as the nodes can send it packets directly."
              : "Routers must share a link with the pods to send them packets."
          }
          error={errors.of("network")}
        >
          {(control) => (
            <Select {...control} value={network} onChange={({ target }) => setNetwork(target.value)}>
              <option value="pod">Pod network</option>
              <option value="node">Host network</option>
            </Select>
          )}
        </Field>
        <Field
          label="Interface"
          docs="balancerPods"
          required
          hint="The interface on which client packets arrive."
          error={errors.of("interface")}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={where}
              onChange={({ target }) => setWhere(target.value)}
            />
          )}
        </Field>
        <Field
          label="Privileges"
          docs="balancerPods"
          required
          hint={
            rights === "ebpf"
              ? "NET_ADMIN, NET_RAW, BPF, PERFMON, SYS_ADMIN and /sys/fs/bpf of the node."
              : "NET_ADMIN, NET_RAW and NET_BIND_SERVICE, all others dropped."
          }
          error={errors.of("rights")}
        >
          {(control) => (
            <Select {...control} value={rights} onChange={({ target }) => setRights(target.value)}>
              <option value="net-admin">Minimal: engines {enginesWith("net-admin").join(" and ")}</option>
              <option value="ebpf">Extended: engines {enginesWith("ebpf").join(" and ")} as well</option>
            </Select>
          )}
        </Field>
      </div>
      <FormProblem message={errors.general} />
      <div className="flex justify-end gap-2">
        <Button type="submit" variant="primary" busy={create.isPending}>
          Create manifest
        </Button>
      </div>
    </Form>
  );
}
