import type { Role } from "@fairlead/domain/access";

/** The permissions of a role, in one line. */
export const roleWords: Record<Role, string> = {
  owner: "Full access, including members, API keys and sign-in.",
  operator: "Can change clusters, nodes, pools and exposures, and read the audit log and the price book.",
  viewer: "Can read everything except the price book, the audit log and API keys. No changes.",
};
