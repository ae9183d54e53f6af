import { z } from "zod";
import { ipAddress, prefix } from "../address/address.ts";
import { objectName } from "../object-name.ts";

const whole = () => z.int("give a whole number");

const asn = whole()
  .min(1, "an AS is numbered from 1")
  .max(4_294_967_294, "an AS is numbered up to 4294967294")
  .meta({ examples: [65_021] });

const peer = { name: objectName, address: ipAddress };
const mostPeers = 32;
const fewPeers = `${mostPeers} at most`;
const seconds = (most: number) => whole().min(0, "0 seconds at least").max(most, `${most} seconds at most`);

/** bgpPassword is what TCP MD5 takes. */
export const bgpPassword = z
  .string()
  .min(1, "leave it out, or give null for none")
  .max(80, "TCP MD5 takes 80 characters")
  .regex(/^[\x21-\x7e]*$/, "use printable ASCII characters without blanks");

/** What a cluster's own balancers tell routers by BGP, and to whom they tell it. */
export const clusterRouting = z
  .strictObject({
    asn: asn.describe("Of the balancers and their reflectors."),
    balancers: z
      .array(prefix)
      .min(1, "name the network that balancers call from")
      .max(mostPeers, fewPeers)
      .describe("Where balancers call from."),
    reflectors: z
      .array(z.strictObject(peer))
      .max(mostPeers, fewPeers)
      .default([])
      .describe("Whom balancers tell. Without reflectors they tell the routers themselves."),
    routers: z
      .array(z.strictObject({ ...peer, asn }))
      .max(mostPeers, fewPeers)
      .default([])
      .describe("Who spreads flows over the balancers."),
    holdSeconds: whole()
      .min(3, "BGP takes 3 seconds at least")
      .max(65_535, "BGP takes 65535 seconds at most")
      .default(9)
      .describe("Of silence, after which a peer counts as gone."),
    keepaliveSeconds: whole()
      .min(1, "1 second at least")
      .max(21_845, "21845 seconds at most, a third of the longest hold time")
      .optional()
      .describe("Between two signs of life, a third of the hold time at most; absent: a third of it."),
    detection: z
      .strictObject({
        intervalMs: whole().min(10, "10 ms at least").max(10_000, "10000 ms at most"),
        multiplier: whole().min(2, "2 at least").max(255, "255 at most").default(3),
      })
      .nullable()
      .default(null)
      .describe("BFD, which finds a frozen peer within interval × multiplier; null for without."),
    nearOnly: z.boolean().default(false).describe("Nothing that crossed another router is heard (GTSM)."),
    mostRoutes: whole()
      .min(1, "a balancer has 1 route at least")
      .max(1_000_000, "1000000 at most")
      .default(10_000)
      .describe("Of each family, that one balancer may offer: at more its session ends, and all its routes go."),
    preference: whole()
      .min(2, "1 is for what drains, and 0 for nothing")
      .max(4_294_967_295, "4294967295 at most")
      .default(100)
      .describe("LOCAL_PREF."),
    med: whole()
      .min(0, "0 at least, which is as good as none")
      .max(4_294_967_295, "4294967295 at most")
      .optional()
      .describe(
        "MED: the lowest is chosen, of one LOCAL_PREF. A reflector keeps it from another AS. Absent: none, which counts as 0.",
      ),
    communities: z
      .array(z.string().regex(/^\d{1,5}:\d{1,5}$/, "write two numbers up to 65535, as 65021:100"))
      .max(16, "16 at most")
      .default([]),
    drainSeconds: seconds(3_600).default(30).describe("That connections may take to end when a balancer leaves."),
    keepSeconds: seconds(86_400).default(300).describe("That a router keeps its routes when no peer is left."),
    settleSeconds: seconds(600)
      .default(10)
      .describe("After peers are back, until a router drops what they don't tell of."),
    mostNextHops: whole()
      .min(1, "1 at least")
      .max(1_024, "1024 at most")
      .default(16)
      .describe("How many ways a prefix may go by, in routers' texts."),
  })
  .superRefine(({ communities, reflectors, routers, holdSeconds, keepaliveSeconds }, ctx) => {
    // Agents take no more: of three signs of life, two may be lost.
    const third = Math.floor(holdSeconds / 3);
    if (keepaliveSeconds !== undefined && keepaliveSeconds > third)
      ctx.addIssue({
        code: "custom",
        path: ["keepaliveSeconds"],
        message: `a third of the hold time at most, ${third} s; or raise the hold time to ${keepaliveSeconds * 3} s`,
      });
    for (const [index, text] of communities.entries())
      if (text.split(":").some((half) => Number(half) > 65_535))
        ctx.addIssue({ code: "custom", path: ["communities", index], message: "write two numbers up to 65535" });
    for (const [field, list] of Object.entries({ reflectors, routers }))
      for (const key of ["name", "address"] as const) {
        const values = list.map((each) => each[key]);
        const twice = values.findIndex((value, index) => values.indexOf(value) !== index);
        if (twice >= 0)
          ctx.addIssue({ code: "custom", path: [field, twice, key], message: `${values[twice]} is here twice` });
      }
  })
  .meta({ id: "ClusterRouting" });
export type ClusterRouting = z.infer<typeof clusterRouting>;

/** The password is written, and never read: null for none, absent for what it was. */
export const updateClusterRouting = clusterRouting
  .safeExtend({ password: bgpPassword.nullable().optional().describe("Of TCP MD5. Absent: as it was; null: none.") })
  .meta({ id: "UpdateClusterRouting" });
export type UpdateClusterRouting = z.infer<typeof updateClusterRouting>;

export const shownClusterRouting = clusterRouting
  .safeExtend({ hasPassword: z.boolean() })
  .meta({ id: "ShownClusterRouting" });
export type ShownClusterRouting = z.infer<typeof shownClusterRouting>;
