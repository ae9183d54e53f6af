"use client";
import { formatEndpoint } from "@fairlead/domain/address";
import { type TriedEnd, type TriedMapping, tryMapping } from "@fairlead/domain/address-map";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client.tsx";
import { Button } from "../ui/action/button.tsx";
import { Field } from "../ui/form/field.tsx";
import { Form } from "../ui/form/form.tsx";
import { FormProblem } from "../ui/form/form-foot.tsx";
import { Input } from "../ui/form/input.tsx";
import { Select } from "../ui/form/select.tsx";
import { useFormErrors } from "../ui/form/use-form-errors.ts";
import { Mono } from "../ui/mono.tsx";
import { Dialog } from "../ui/overlay/dialog.tsx";
import { StatusBadge } from "../ui/status/status-badge.tsx";
import { Age } from "../ui/time/age.tsx";

type Props = { exposureId: string; instance: string; onDone: () => void };

/** Connects to an instance from the control plane, like an external client. */
export function TryMapping({ exposureId, instance, onDone }: Props) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onDone();
      }}
      title={`Test ${instance}`}
      description="Connects from the control plane to its external addresses only. Clients elsewhere may get another result."
      wide
    >
      <TryForm exposureId={exposureId} instance={instance} />
    </Dialog>
  );
}

function TryForm({ exposureId, instance }: Omit<Props, "onDone">) {
  const trpc = useTRPC();
  const [by, setBy] = useState<"tcp" | "tls">("tcp");
  const [serverName, setServerName] = useState("");
  const errors = useFormErrors(["serverName", "instance"], []);
  const attempt = useMutation(trpc.addressMap.try.mutationOptions({ onError: errors.fail }));
  const name = by === "tls" ? serverName.trim() : "";
  return (
    <div className="flex flex-col gap-4">
      <Form
        failures={errors.failures}
        isUnsaved={false}
        className="flex flex-wrap items-start gap-3"
        onSubmit={() => {
          const spec = errors.check(tryMapping, {
            id: exposureId,
            instance,
            by,
            ...(name ? { serverName: name } : {}),
          });
          if (spec) attempt.mutate(spec);
        }}
      >
        <div className="w-32">
          <Field label="Protocol" docs={null} required>
            {(control) => (
              <Select {...control} value={by} onChange={({ target }) => setBy(target.value === "tls" ? "tls" : "tcp")}>
                <option value="tcp">TCP</option>
                <option value="tls">TLS</option>
              </Select>
            )}
          </Field>
        </div>
        {by === "tls" ? (
          <div className="min-w-0 flex-1 basis-56">
            <Field label="Server name" docs="mapAccess" error={errors.of("serverName")}>
              {(control) => (
                <Input
                  {...control}
                  placeholder="redis-0.example.com"
                  autoComplete="off"
                  spellCheck={false}
                  value={serverName}
                  onChange={({ target }) => setServerName(target.value)}
                />
              )}
            </Field>
          </div>
        ) : null}
        <Button type="submit" variant="primary" busy={attempt.isPending} className="mt-6">
          Run test
        </Button>
      </Form>
      <FormProblem message={errors.general ?? errors.of("instance")} />
      {attempt.data && !attempt.isPending ? <Tried tried={attempt.data} /> : null}
    </div>
  );
}

function Tried({ tried: { at, ends, skipped } }: { tried: TriedMapping }) {
  return (
    <section aria-label="Test result" aria-live="polite" className="flex flex-col gap-3 text-sm">
      {ends.map((end) => (
        <TriedOne key={`${end.externalAddress} ${end.externalPort}`} end={end} />
      ))}
      {skipped.map((each) => (
        <p key={each} className="text-muted">
          {each}
        </p>
      ))}
      <p className="text-muted text-xs">
        Tested <Age at={at} />.
      </p>
    </section>
  );
}

function TriedOne({ end }: { end: TriedEnd }) {
  const { externalAddress, externalPort, address, resolveMs, connectMs, handshakeMs, tls, problem } = end;
  const steps = [
    ...(resolveMs === null ? [] : [`resolved to ${address} in ${resolveMs} ms`]),
    ...(connectMs === null ? [] : [`connected in ${connectMs} ms`]),
    ...(handshakeMs === null ? [] : [`TLS in ${handshakeMs} ms`]),
  ];
  return (
    <div className="flex flex-col gap-1 border-b pb-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Mono copy="pointer">{formatEndpoint(externalAddress, externalPort)}</Mono>
        <StatusBadge
          status={
            problem
              ? { shape: "cross", tone: "bad", word: "Unreachable" }
              : { shape: "disc", tone: "good", word: "Reachable" }
          }
        />
      </div>
      {steps.length > 0 ? <p className="tabular-nums">{steps.join(", ")}</p> : null}
      {problem ? <p>{problem}</p> : null}
      {tls ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-muted">
          <dt>Protocol</dt>
          <dd>{[tls.version, tls.cipher, tls.applicationProtocol].filter(Boolean).join(", ")}</dd>
          {tls.certificate ? (
            <>
              <dt>Certificate</dt>
              <dd className="break-words">
                {tls.certificate.names.join(", ") || tls.certificate.subject}, issued by {tls.certificate.issuer}, valid
                until {tls.certificate.validTo.toISOString().slice(0, 10)}
              </dd>
            </>
          ) : null}
          {tls.distrust ? (
            <>
              <dt>Trust</dt>
              <dd>{tls.distrust}</dd>
            </>
          ) : null}
        </dl>
      ) : null}
    </div>
  );
}
