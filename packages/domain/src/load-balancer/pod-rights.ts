/** What a balancer's pod may do on its node. */
export const podRights = ["net-admin", "ebpf"] as const;
export type PodRights = (typeof podRights)[number];
