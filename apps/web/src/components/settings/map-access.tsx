"use client";
import type { DeniablePermission, Member } from "@fairlead/domain/access";
import { Checkbox } from "@/components/ui/form/checkbox.tsx";

/** Takes the permission map:read away from a member, or gives it back. Owners have all permissions. */
export function MapAccess({
  member: { name, role, denied },
  disabled,
  onChange,
}: {
  member: Member;
  disabled: boolean;
  onChange: (denied: DeniablePermission[]) => void;
}) {
  if (role === "owner") return <span className="text-muted">always</span>;
  return (
    <Checkbox
      aria-label={`${name} may read address maps`}
      checked={!denied.includes("map:read")}
      disabled={disabled}
      onChange={({ target }) =>
        onChange(target.checked ? denied.filter((each) => each !== "map:read") : [...denied, "map:read"])
      }
    />
  );
}
