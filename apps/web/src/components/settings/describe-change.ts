import type { Member, UpdateMember } from "@fairlead/domain/access";

/** describeChange describes a member's access after a change, without the name. */
export function describeChange({ role, denied }: Pick<Member, "role" | "denied">, changed: UpdateMember): string {
  if (changed.role) return `is now ${role}`;
  return denied.includes("map:read") ? "may not read address maps any more" : "may read address maps again";
}
