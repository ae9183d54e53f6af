/** The privileges of a balancer's pod on its node. */
export const podRights = ["net-admin", "ebpf"] as const;
export type PodRights = (typeof podRights)[number];
