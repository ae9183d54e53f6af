"use client";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { type CheckKind, checkKinds, type HealthCheckDraft, healthCheckDraft } from "./health-check-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

const kindWords: Record<CheckKind, { title: string; line: string }> = {
  usual: { title: "As usual", line: "A TCP connection every second to TCP ports. UDP ports are not asked." },
  tcp: { title: "TCP", line: "Well is what accepts a connection." },
  http: { title: "HTTP", line: "Well is what answers a GET with a good status." },
  https: { title: "HTTPS", line: "As HTTP, over TLS. Certificates are not checked: the question is whether it lives." },
  grpc: { title: "gRPC", line: "Well is what says SERVING by gRPC's health protocol, without TLS." },
  udp: { title: "UDP", line: "Well is what answers a datagram. TCP ports are asked as usual." },
  none: { title: "None", line: "An instance counts as up for as long as it is ready." },
};

type FieldName = Exclude<keyof HealthCheckDraft, "kind">;
type FieldSpec = { name: FieldName; label: string; hint?: string; optional?: true; numeric?: true };

const path: FieldSpec = { name: "path", label: "Path" };
const host: FieldSpec = {
  name: "host",
  label: "Host",
  hint: "The Host header, and the name TLS asks for.",
  optional: true,
};
const statuses: FieldSpec = {
  name: "statuses",
  label: "Good statuses",
  hint: "200 to 399 when empty.",
  optional: true,
};

const questions: Record<CheckKind, readonly FieldSpec[]> = {
  usual: [],
  none: [],
  tcp: [],
  http: [path, { ...host, hint: "The Host header." }, statuses],
  https: [path, host, statuses],
  grpc: [{ name: "service", label: "Service", hint: "The whole server when empty.", optional: true }],
  udp: [
    { name: "send", label: "Send" },
    { name: "expect", label: "Expect", hint: "What the answer begins with; any when empty.", optional: true },
  ],
};

const port: FieldSpec = {
  name: "port",
  label: "Port",
  hint: "The instance's own when empty.",
  optional: true,
  numeric: true,
};
const timing: readonly FieldSpec[] = [
  { name: "intervalMs", label: "Ask every, ms", numeric: true },
  { name: "timeoutMs", label: "Give up after, ms", numeric: true },
  { name: "rise", label: "Up after", hint: "successes in a row", numeric: true },
  { name: "fall", label: "Down after", hint: "failures in a row", numeric: true },
];

/** How each replica asks whether an instance is well. Only the fields of the kind chosen are there. */
export function HealthCheckFields({ form }: { form: ExposureForm }) {
  const { kind } = form.draft.healthCheck;
  const isAsked = kind !== "usual" && kind !== "none";
  const change = (part: Partial<HealthCheckDraft>) =>
    form.change({ healthCheck: { ...form.draft.healthCheck, ...part } });
  const field = (spec: FieldSpec) => <CheckField key={spec.name} spec={spec} form={form} change={change} />;
  return (
    <div className="flex flex-col gap-3">
      <Field label="Health check" required hint={kindWords[kind].line}>
        {(control) => (
          <Select
            {...control}
            className="max-w-60"
            value={kind}
            onChange={(event) => change({ kind: healthCheckDraft.shape.kind.parse(event.target.value) })}
          >
            {checkKinds.map((each) => (
              <option key={each} value={each}>
                {kindWords[each].title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isAsked ? (
        <>
          <div className="grid items-start gap-3 sm:grid-cols-2 md:grid-cols-4">
            {questions[kind].map(field)}
            {field(port)}
          </div>
          <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-4">{timing.map(field)}</div>
        </>
      ) : null}
    </div>
  );
}

function CheckField(props: { spec: FieldSpec; form: ExposureForm; change: (part: Partial<HealthCheckDraft>) => void }) {
  const { spec, form, change } = props;
  const at = `healthCheck.${spec.name}`;
  return (
    <Field label={spec.label} hint={spec.hint} required={!spec.optional} error={form.error(at)}>
      {(control) => (
        <Input
          {...control}
          value={form.draft.healthCheck[spec.name]}
          onChange={(event) => change({ [spec.name]: event.target.value })}
          onBlur={() => form.touch(at)}
          autoComplete="off"
          spellCheck={false}
          {...(spec.numeric ? { inputMode: "numeric" } : { className: "font-mono text-xs" })}
        />
      )}
    </Field>
  );
}
