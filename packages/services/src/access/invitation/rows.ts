import type { Invitation } from "@fairlead/domain";

export const invitationSource = {
  from: "invitation_view",
  columns: [
    "id",
    "email",
    "role",
    "state",
    "createdBy",
    "createdAt",
    "expiresAt",
    "acceptedAt",
  ] as const satisfies readonly (keyof Invitation)[],
};
