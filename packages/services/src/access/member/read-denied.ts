import { type DeniablePermission, deniablePermission } from "@fairlead/domain/access";

/** readDenied reads the column member.denied. A permission that can't be denied any more is left out. */
export function readDenied(stored: readonly string[]): DeniablePermission[] {
  return stored.flatMap((each) => deniablePermission.safeParse(each).data ?? []);
}
