"use client";
import { type EstimateRequest, trafficProfile } from "@fairlead/domain/cost";
import { type ComponentProps, type ReactNode, useCallback } from "react";
import type { DocsTopic } from "@/components/docs/docs-topics.ts";
import { Field } from "@/components/ui/form/field.tsx";
import { Fieldset } from "@/components/ui/form/fieldset.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { NumberInput, type SetNumber } from "./number-field.tsx";
import type { CalculatorParams, Mode, NumberField } from "./search-params.ts";

type Protocol = EstimateRequest["profile"]["protocol"];

const protocolNames: Record<Protocol, string> = { tcp: "TCP", udp: "UDP", http: "HTTP", quic: "QUIC" };
const tlsNames: Record<EstimateRequest["profile"]["tls"], string> = {
  none: "None",
  passthrough: "Passed through",
  terminate: "Terminated",
};

export type SetParams = (change: { [Key in keyof CalculatorParams]?: CalculatorParams[Key] | null }) => void;

const { shape } = trafficProfile;
/** The schema's defaults, shown as placeholders. */
const defaultOf = (field: NumberField): string => {
  const parsed = shape[field].safeParse(undefined);
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : "";
};

/** The traffic to carry. The quick form has what new users know; the rest has typical defaults. */
export function ProfileForm(props: {
  mode: Mode;
  params: CalculatorParams;
  problems: Record<string, string>;
  setParams: SetParams;
}) {
  const { mode, params, problems, setParams } = props;
  const isDetailed = mode === "detailed";
  const setNumber = useCallback<SetNumber>((field, text) => setParams({ [field]: text }), [setParams]);
  const number = (field: NumberField) => ({
    field,
    value: params[field],
    error: problems[field],
    placeholder: defaultOf(field),
    onChange: setNumber,
  });
  return (
    <>
      <Group title="Traffic" docs="profileTraffic">
        <Pairs>
          <NumberInput {...number("averageMbps")} label="On average" unit="Mbit/s" />
          <NumberInput {...number("peakMbps")} label="Peak" unit="Mbit/s" placeholder={params.averageMbps} />
          {isDetailed ? <ProtocolChoice protocol={params.protocol} setParams={setParams} /> : null}
          <Choice
            label="TLS"
            names={tlsNames}
            value={params.tls}
            error={problems.tls}
            onChange={(tls) => setParams({ tls })}
          />
        </Pairs>
      </Group>
      {isDetailed ? <Details params={params} number={number} setParams={setParams} /> : null}
    </>
  );
}

function ProtocolChoice({ protocol, setParams }: { protocol: Protocol; setParams: SetParams }) {
  return (
    <Choice
      label="Protocol"
      names={protocolNames}
      value={protocol}
      onChange={(chosen) =>
        setParams({
          protocol: chosen,
          ...(chosen === "tcp" || chosen === "udp" ? { requestsPerSecond: null } : {}),
          ...(chosen === "udp" ? { tls: null } : {}),
        })
      }
    />
  );
}

type NumberProps = (field: NumberField) => Omit<ComponentProps<typeof NumberInput>, "label">;

function Details(props: { params: CalculatorParams; number: NumberProps; setParams: SetParams }) {
  const { params, number, setParams } = props;
  const hasRequests = params.protocol === "http" || params.protocol === "quic";
  return (
    <>
      <Group title="Connections" docs="profileConnections">
        <Pairs>
          <NumberInput {...number("newConnectionsPerSecond")} label="New" unit="per second" />
          <NumberInput {...number("connectionDurationSeconds")} label="Duration" unit="seconds" placeholder="60" />
          <NumberInput
            {...number("activeConnections")}
            label="Concurrent"
            placeholder={liveText(params.newConnectionsPerSecond, params.connectionDurationSeconds)}
          />
          {hasRequests || params.requestsPerSecond ? (
            <NumberInput
              {...number("requestsPerSecond")}
              label="Requests"
              unit="per second"
              placeholder={params.newConnectionsPerSecond || "0"}
            />
          ) : null}
          {hasRequests || params.rulesPerRequest ? (
            <NumberInput {...number("rulesPerRequest")} label="Rules per request" />
          ) : null}
        </Pairs>
      </Group>
      <Group title="Balancing" docs="profileBalancing">
        <Pairs>
          <Choice
            label="Balancers"
            names={{ one: "One in total", "per-replica": "One per replica" }}
            value={params.exposedAs}
            onChange={(exposedAs) => setParams({ exposedAs })}
          />
          <NumberInput {...number("zones")} label="Zones" />
          <NumberInput {...number("listeners")} label="Listeners" hint="Number of listening ports." />
          <NumberInput
            {...number("addedMs")}
            label="Added latency, p99"
            unit="ms"
            hint="Maximum."
            docs="grades"
            placeholder="any"
          />
          <NumberInput {...number("hoursPerMonth")} label="Hours per month" />
          <NumberInput {...number("responseShare")} label="Outbound share" hint="0 to 1, of all traffic." />
          <NumberInput
            {...number("internetShare")}
            label="Internet share"
            hint="0 to 1, of outbound traffic. Charged as egress."
          />
        </Pairs>
      </Group>
      <Group title="Backends" docs="noBalancer">
        <Pairs>
          <NumberInput {...number("replicas")} label="Replicas" />
          <NumberInput
            {...number("backendMbps")}
            label="Capacity of one"
            unit="Mbit/s"
            hint="Measured, or by CPU time:"
          />
          <NumberInput {...number("corePercentPerMbps")} label="CPU per Mbit/s" unit="% of a core" />
          <NumberInput {...number("backendCores")} label="Cores of one" placeholder="1" />
        </Pairs>
      </Group>
    </>
  );
}

/** Fields under a title, with a link to the paragraph that explains them. */
export function Group({ title, docs, children }: { title: string; docs: DocsTopic; children: ReactNode }) {
  return (
    <Fieldset
      title={title}
      docs={docs}
      className="border-b pb-4 last:border-b-0"
      // Floated: a legend takes no part in the layout otherwise.
      legendClassName="float-left w-full pt-3 pb-2 font-semibold text-sm"
    >
      <div className="clear-both">{children}</div>
    </Fieldset>
  );
}

/** Fields in two columns. */
export function Pairs({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 items-start gap-3">{children}</div>;
}

export function Choice<Word extends string>(props: {
  label: string;
  names: Record<Word, string>;
  value: Word;
  error?: string | undefined;
  onChange: (word: Word) => void;
}) {
  const words = Object.keys(props.names) as Word[];
  return (
    <Field label={props.label} docs={null} required error={props.error}>
      {(control) => (
        <Select
          {...control}
          value={props.value}
          onChange={({ target }) => {
            const chosen = words.find((word) => word === target.value);
            if (chosen) props.onChange(chosen);
          }}
        >
          {words.map((word) => (
            <option key={word} value={word}>
              {props.names[word]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Derived from rate and duration, as the placeholder of the empty field. */
function liveText(rate: string, seconds: string): string {
  const live = Number(rate || 0) * Number(seconds || 60);
  return Number.isFinite(live) ? String(Math.round(live)) : "";
}
