"use client";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { type CheckKind, checkKinds, type HealthCheckDraft, healthCheckDraft } from "./health-check-draft.ts";
import type { ExposureForm } from "./use-exposure-form.ts";

const kindWords: Record<CheckKind, { title: string; line: string }> = {
  usual: { title: "Default", line: "A TCP connection every second to TCP ports. UDP ports are not checked." },
  tcp: { title: "TCP", line: "Healthy if a connection is accepted." },
  http: { title: "HTTP", line: "Healthy if a GET returns an expected status." },
  https: { title: "HTTPS", line: "As HTTP, over TLS. Certificates are not verified." },
  grpc: { title: "gRPC", line: "Healthy if gRPC's health protocol returns SERVING, without TLS." },
  udp: { title: "UDP", line: "Healthy if a datagram is answered. TCP ports are checked by default." },
  none: { title: "None", line: "An instance is healthy as long as it is ready." },
};

type FieldName = Exclude<keyof HealthCheckDraft, "kind">;
type FieldSpec = { name: FieldName; label: string; hint?: string; optional?: true; numeric?: true };

const path: FieldSpec = { name: "path", label: "Path" };
const host: FieldSpec = {
  name: "host",
  label: "Host",
  hint: "The Host header, and the TLS server name.",
  optional: true,
};
const statuses: FieldSpec = {
  name: "statuses",
  label: "Expected statuses",
  hint: "200 to 399 if empty.",
  optional: true,
};

const questions: Record<CheckKind, readonly FieldSpec[]> = {
  usual: [],
  none: [],
  tcp: [],
  http: [path, { ...host, hint: "The Host header." }, statuses],
  https: [path, host, statuses],
  grpc: [{ name: "service", label: "Service", hint: "The whole server if empty.", optional: true }],
  udp: [
    { name: "send", label: "Send" },
    { name: "expect", label: "Expect", hint: "Start of the answer. Any answer if empty.", optional: true },
  ],
};

const port: FieldSpec = {
  name: "port",
  label: "Port",
  hint: "The instance's own if empty.",
  optional: true,
  numeric: true,
};
const timing: readonly FieldSpec[] = [
  { name: "intervalMs", label: "Interval, ms", numeric: true },
  { name: "timeoutMs", label: "Timeout, ms", numeric: true },
  { name: "rise", label: "Healthy after", hint: "successes in a row", numeric: true },
  { name: "fall", label: "Unhealthy after", hint: "failures in a row", numeric: true },
];

/** All fields of a health check, in the spec. */
export const healthCheckPaths: readonly string[] = [
  port,
  path,
  host,
  statuses,
  ...questions.grpc,
  ...questions.udp,
  ...timing,
].map(({ name }) => `healthCheck.${name}`);

/** The health check of the instances. Only the fields of the selected kind are shown. */
export function HealthCheckFields({ form }: { form: ExposureForm }) {
  const { kind } = form.draft.healthCheck;
  const isCustom = kind !== "usual" && kind !== "none";
  const change = (part: Partial<HealthCheckDraft>) =>
    form.change({ healthCheck: { ...form.draft.healthCheck, ...part } });
  const field = (spec: FieldSpec) => <CheckField key={spec.name} spec={spec} form={form} change={change} />;
  return (
    <div className="flex flex-col gap-3">
      <Field label="Health check" docs="healthChecks" required hint={kindWords[kind].line}>
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
      {isCustom ? (
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
    <Field label={spec.label} docs="healthChecks" hint={spec.hint} required={!spec.optional} error={form.error(at)}>
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
