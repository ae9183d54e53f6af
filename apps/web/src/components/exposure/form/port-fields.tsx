"use client";
import { Field } from "@/components/ui/form/field.tsx";
import { Input } from "@/components/ui/form/input.tsx";
import { Select } from "@/components/ui/form/select.tsx";
import { emptyPort, type PortRow } from "./draft.ts";
import { RowFields } from "./row-fields.tsx";
import type { ExposureForm } from "./use-exposure-form.ts";

/** The ports for clients and the target ports of the workload. */
export function PortFields({ form }: { form: ExposureForm }) {
  return (
    <RowFields<PortRow>
      legend="Ports"
      docs="ports"
      hint="Clients connect to the port. The workload listens on the target, which is the same port if empty."
      error={form.error("ports")}
      rows={form.draft.ports}
      rowName={(row, index) => (row.port ? `port ${row.port}` : `port ${index + 1}`)}
      fewest={1}
      most={32}
      addLabel="Add port"
      onChange={(ports) => form.change({ ports })}
      emptyRow={emptyPort}
    >
      {(row, index, update) => <PortRowFields row={row} index={index} update={update} form={form} />}
    </RowFields>
  );
}

function PortRowFields(props: {
  row: PortRow;
  index: number;
  update: (change: Partial<PortRow>) => void;
  form: ExposureForm;
}) {
  const { row, index, update, form } = props;
  const labelClassName = index > 0 ? "md:sr-only" : undefined;
  const path = (field: string) => `ports.${index}.${field}`;
  return (
    <div className="grid grid-cols-2 gap-2 md:grid-cols-[1fr_1fr_6rem_1.4fr]">
      <Field label="Port" docs={null} required labelClassName={labelClassName} error={form.error(path("port"))}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={row.port}
            onChange={(event) => update({ port: event.target.value })}
            onBlur={() => form.touch(path("port"))}
          />
        )}
      </Field>
      <Field label="Target" docs={null} labelClassName={labelClassName} error={form.error(path("targetPort"))}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={row.targetPort}
            placeholder={row.port}
            onChange={(event) => update({ targetPort: event.target.value })}
            onBlur={() => form.touch(path("targetPort"))}
          />
        )}
      </Field>
      <Field label="Protocol" docs={null} required labelClassName={labelClassName}>
        {(control) => (
          <Select
            {...control}
            value={row.protocol}
            onChange={(event) => update({ protocol: event.target.value === "udp" ? "udp" : "tcp" })}
          >
            <option value="tcp">TCP</option>
            <option value="udp">UDP</option>
          </Select>
        )}
      </Field>
      <Field label="Name" docs={null} labelClassName={labelClassName} error={form.error(path("name"))}>
        {(control) => (
          <Input
            {...control}
            value={row.name}
            onChange={(event) => update({ name: event.target.value })}
            onBlur={() => form.touch(path("name"))}
            spellCheck={false}
          />
        )}
      </Field>
    </div>
  );
}
