import type { Role } from "@fairlead/domain";

/** What a role may, in a line. */
export const roleWords: Record<Role, string> = {
  owner: "Everything, including members, keys and sign-in.",
  operator: "Changes clusters, nodes, pools and exposures; reads the audit.",
  viewer: "Reads everything but the audit and the keys; changes nothing.",
};
