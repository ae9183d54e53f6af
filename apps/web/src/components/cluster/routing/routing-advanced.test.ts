import { clusterRouting } from "@fairlead/domain/routing";
import { describe, expect, it } from "vitest";
import { advancedFields, describeAdvanced, fromAdvanced, isOptional, toAdvanced } from "./routing-advanced.ts";

const least = { asn: 65_021, balancers: ["10.0.0.0/24"] };

describe("the advanced part of a cluster's routing", () => {
  it("starts with the defaults of the API", () => {
    expect(clusterRouting.parse({ ...least, ...fromAdvanced(toAdvanced(null)) })).toEqual(clusterRouting.parse(least));
    expect(describeAdvanced(toAdvanced(null))).toContain("defaults:");
  });

  it("round-trips the stored settings", () => {
    const stored = clusterRouting.parse({
      ...least,
      nearOnly: true,
      preference: 200,
      med: 20,
      communities: ["65021:100", "65021:200"],
      mostRoutes: 50,
      keepSeconds: 0,
      settleSeconds: 3,
      mostNextHops: 8,
      keepaliveSeconds: 2,
    });
    expect({ ...stored, ...fromAdvanced(toAdvanced(stored)) }).toEqual(stored);
    expect(describeAdvanced(toAdvanced(stored))).toBe(
      "direct neighbors only, preference 200, MED 20, communities 65021:100 65021:200, at most 50 routes, routes retained 0 s, settle time 3 s, 8 next hops, keepalive 2 s",
    );
  });

  it.each(advancedFields.filter((field) => field !== "nearOnly" && field !== "communities"))(
    "explains what is wrong with %s that is no number",
    (field) => {
      for (const text of isOptional(field) ? ["x", "1.5"] : ["", "x", "1.5"]) {
        const written = fromAdvanced({ ...toAdvanced(null), [field]: text });
        const { error } = clusterRouting.safeParse({ ...least, ...written });
        expect(error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
          [field, "enter a whole number"],
        ]);
      }
    },
  );

  it("resets a setting if its field is empty", () => {
    const stored = clusterRouting.parse({ ...least, med: 20, keepaliveSeconds: 2 });
    const emptied = { ...stored, ...fromAdvanced({ ...toAdvanced(stored), med: " ", keepaliveSeconds: "" }) };
    expect(clusterRouting.parse(emptied)).toEqual(clusterRouting.parse(least));
  });

  it("accepts communities in any format", () => {
    const written = { ...toAdvanced(null), communities: " 65021:1,65021:2\n65021:3 " };
    expect(fromAdvanced(written).communities).toEqual(["65021:1", "65021:2", "65021:3"]);
  });
});
