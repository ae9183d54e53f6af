import { z } from "zod";
import { ipAddress, prefix } from "../address/address.ts";
import { objectName } from "../object-name.ts";

const whole = () => z.int("enter a whole number");

const asn = whole()
  .min(1, "an AS is numbered from 1")
  .max(4_294_967_294, "an AS is numbered up to 4294967294")
  .meta({ examples: [65_021] });

const peer = { name: objectName, address: ipAddress };
const mostPeers = 32;
const fewPeers = `${mostPeers} at most`;
const seconds = (most: number) => whole().min(0, "0 seconds at least").max(most, `${most} seconds at most`);

/** bgpPassword is a password for TCP MD5. */
export const bgpPassword = z
  .string()
  .min(1, "leave it out, or enter null for none")
  .max(80, "TCP MD5 takes 80 characters")
  .regex(/^[\x21-\x7e]*$/, "use printable ASCII characters without blanks");

const half = "([0-9]{1,4}|0[0-9]{4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
const community = new RegExp(`^${half}:${half}$`);

/** What a cluster's own balancers announce by BGP, and to which peers. */
export const clusterRouting = z
  .strictObject({
    asn: asn.describe("The AS of the balancers and their reflectors."),
    balancers: z
      .array(prefix)
      .min(1, "enter the network that balancers connect from")
      .max(mostPeers, fewPeers)
      .describe("Networks that balancers connect from."),
    reflectors: z
      .array(z.strictObject(peer))
      .max(mostPeers, fewPeers)
      .default([])
      .describe(
        "Route reflectors to which balancers announce. Without reflectors they announce to the routers directly.",
      ),
    routers: z
      .array(
        z.strictObject({
          ...peer,
          asn,
          weights: z
            .boolean()
            .optional()
            .describe(
              "Whether it spreads flows by link bandwidths (BGP extended community), as FRR does. Fairlead routers do so anyway. An exposure that spans clusters needs it. Default: false.",
            ),
        }),
      )
      .max(mostPeers, fewPeers)
      .default([])
      .describe("Routers that spread flows over the balancers."),
    holdSeconds: whole()
      .min(3, "BGP takes 3 seconds at least")
      .max(65_535, "BGP takes 65535 seconds at most")
      .default(9)
      .describe("Time without a message after which a peer is down."),
    keepaliveSeconds: whole()
      .min(1, "1 second at least")
      .max(21_845, "21845 seconds at most, a third of the longest hold time")
      .optional()
      .describe("Time between keepalives, at most a third of the hold time. Default: a third of it."),
    detection: z
      .strictObject({
        intervalMs: whole().min(10, "10 ms at least").max(10_000, "10000 ms at most"),
        multiplier: whole().min(2, "2 at least").max(255, "255 at most").default(3),
      })
      .nullable()
      .default(null)
      .describe("BFD, which detects a failed peer within interval × multiplier; null to disable."),
    nearOnly: z.boolean().default(false).describe("Drop packets that crossed another router (GTSM)."),
    mostRoutes: whole()
      .min(1, "a balancer has 1 route at least")
      .max(1_000_000, "1000000 at most")
      .default(10_000)
      .describe(
        "Routes per family that a balancer may offer. Beyond it, its session ends and all its routes are removed.",
      ),
    preference: whole()
      .min(2, "1 is for draining balancers, and 0 for none")
      .max(4_294_967_295, "4294967295 at most")
      .default(100)
      .describe("LOCAL_PREF."),
    med: whole()
      .min(0, "0 at least, which counts as none")
      .max(4_294_967_295, "4294967295 at most")
      .optional()
      .describe(
        "MED: with equal LOCAL_PREF, the lowest wins. A reflector doesn't send it to another AS. Default: none, which counts as 0.",
      ),
    communities: z
      .array(z.string().regex(community, "enter two numbers up to 65535, such as 65021:100"))
      .max(16, "16 at most")
      .default([]),
    drainSeconds: seconds(3_600).default(30).describe("Time for connections to end when a balancer leaves."),
    keepSeconds: seconds(86_400).default(300).describe("How long a router keeps its routes without any peer."),
    settleSeconds: seconds(600)
      .default(10)
      .describe("Time after peers return until a router removes routes that they don't announce."),
    mostNextHops: whole()
      .min(1, "1 at least")
      .max(1_024, "1024 at most")
      .default(16)
      .describe("Maximum number of next hops of a prefix, in router configurations."),
  })
  .superRefine(({ reflectors, routers, holdSeconds, keepaliveSeconds }, ctx) => {
    // The limit of agents: of three keepalives, two may be lost.
    const third = Math.floor(holdSeconds / 3);
    if (keepaliveSeconds !== undefined && keepaliveSeconds > third)
      ctx.addIssue({
        code: "custom",
        path: ["keepaliveSeconds"],
        message: `a third of the hold time at most, ${third} s; or raise the hold time to ${keepaliveSeconds * 3} s`,
      });
    for (const [field, list] of Object.entries({ reflectors, routers }))
      for (const key of ["name", "address"] as const) {
        const values = list.map((each) => each[key]);
        const twice = values.findIndex((value, index) => values.indexOf(value) !== index);
        if (twice >= 0)
          ctx.addIssue({ code: "custom", path: [field, twice, key], message: `${values[twice]} is listed twice` });
      }
  })
  .meta({ id: "ClusterRouting" });
export type ClusterRouting = z.infer<typeof clusterRouting>;

/** The password is write-only. */
export const updateClusterRouting = clusterRouting
  .safeExtend({
    password: bgpPassword
      .nullable()
      .optional()
      .describe("Password for TCP MD5. null: none. If absent, it stays unchanged."),
  })
  .meta({ id: "UpdateClusterRouting" });
export type UpdateClusterRouting = z.infer<typeof updateClusterRouting>;

export const shownClusterRouting = clusterRouting
  .safeExtend({ hasPassword: z.boolean() })
  .meta({ id: "ShownClusterRouting" });
export type ShownClusterRouting = z.infer<typeof shownClusterRouting>;
