"use client";
import { type Role, role, roles } from "@fairlead/domain/access";
import type { ComponentProps } from "react";
import { Select } from "@/components/ui/form/select.tsx";

/** Selects one of the roles. */
export function RoleSelect({
  value,
  onChange,
  ...props
}: Omit<ComponentProps<"select">, "value" | "onChange"> & { value: Role; onChange: (role: Role) => void }) {
  return (
    <Select {...props} value={value} onChange={(event) => onChange(role.parse(event.target.value))}>
      {roles.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Select>
  );
}
