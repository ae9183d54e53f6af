import type { Member } from "@fairlead/domain";

export const memberSource = {
  from: "member_view",
  columns: [
    "id",
    "userId",
    "name",
    "email",
    "role",
    "activeKeyCount",
    "createdAt",
  ] as const satisfies readonly (keyof Member)[],
};
