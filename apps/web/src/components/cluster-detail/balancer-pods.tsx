"use client";
import { type BalancerManifest, type Cluster, createBalancerManifest } from "@fairlead/domain";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Container } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "@/components/detail/guarded-button.tsx";
import { Button } from "@/components/ui/button.tsx";
import { CommandLine } from "@/components/ui/command-line.tsx";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { FormProblem } from "@/components/ui/form-foot.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Until } from "@/components/ui/until.tsx";
import { useFormErrors } from "@/components/ui/use-form-errors.ts";
import { useTRPC } from "@/trpc/client.tsx";

/** Our balancers as pods: asks for the image and how close to the node they may be, and shows the manifest once. */
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
        description="A DaemonSet that runs a balancer on each node, and beside it the speaker that announces its addresses by BGP."
      >
        {made ? <Made made={made} /> : <Asked cluster={cluster} onMade={setMade} />}
      </Dialog>
    </>
  );
}

function Asked({ cluster, onMade }: { cluster: Cluster; onMade: (made: BalancerManifest) => void }) {
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
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const wish = { id: cluster.id, image: image.trim(), network, rights, interface: where.trim() };
        const checked = errors.check(createBalancerManifest, wish);
        if (checked) create.mutate(checked);
      }}
    >
      <Field
        label="Image"
        required
        hint="Built from deploy/agent.Dockerfile, where your nodes can pull it."
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
          required
          hint={
            network === "node"
              ? "Routers beside the nodes reach it as they reach the nodes."
              : "Routers must be on one link with the pods to send them packets."
          }
          error={errors.of("network")}
        >
          {(control) => (
            <Select {...control} value={network} onChange={({ target }) => setNetwork(target.value)}>
              <option value="pod">One of its own, as other pods</option>
              <option value="node">The node’s own</option>
            </Select>
          )}
        </Field>
        <Field label="Interface" required hint="Where packets of clients arrive." error={errors.of("interface")}>
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
          label="Rights"
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
              <option value="net-admin">Few: engines nftables and userspace</option>
              <option value="ebpf">More: engines tcx and xdp as well</option>
            </Select>
          )}
        </Field>
      </div>
      <FormProblem message={errors.general} />
      <div className="flex justify-end gap-2">
        <Button type="submit" variant="primary" busy={create.isPending}>
          Write the manifest
        </Button>
      </div>
    </form>
  );
}

function Made({ made: { manifest, token } }: { made: BalancerManifest }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        Save this as fairlead-balancer.yaml and apply it. It holds a token that is shown only now; nodes that come later
        join by it, too: <Until at={token.expiresAt} past="it has expired" warnMs={5 * 60_000} />.
      </p>
      <div className="flex items-start gap-2 rounded-md border bg-surface py-1.5 pr-1.5 pl-3">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="max-h-72 min-w-0 flex-1 overflow-auto py-1" tabIndex={0} aria-label="Manifest">
          <pre className="font-mono text-xs">{manifest}</pre>
        </section>
        <CopyButton value={manifest} label="Copy the manifest" />
      </div>
      <CommandLine command="kubectl apply -f fairlead-balancer.yaml" label="Apply the manifest" />
      <p className="text-muted">
        Its nodes appear under Nodes as they join. The token can be deleted on the page of the cluster.
      </p>
    </div>
  );
}
