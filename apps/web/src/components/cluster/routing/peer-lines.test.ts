import { describe, expect, it } from "vitest";
import { formatPeers, linesOf, parseReflectors, parseRouters } from "./peer-lines.ts";

describe("peers as text", () => {
  it("are one per line, with any separator", () => {
    expect(parseReflectors("rr-1 10.0.0.11\n\n  rr-2,\t10.0.0.12 ")).toEqual([
      { name: "rr-1", address: "10.0.0.11" },
      { name: "rr-2", address: "10.0.0.12" },
    ]);
  });

  it("are in the balancers' AS by default", () => {
    expect(parseRouters("tor-1 10.0.0.1\ntor-2 10.0.0.2 65100", 65_021)).toEqual([
      { name: "tor-1", address: "10.0.0.1", asn: 65_021 },
      { name: "tor-2", address: "10.0.0.2", asn: 65_100 },
    ]);
  });

  it("round-trip", () => {
    const text = "tor-1 10.0.0.1 65100\ntor-2 fd00::2 65021";
    expect(formatPeers(parseRouters(text, 1))).toBe(text);
    expect(formatPeers(parseReflectors("rr-1 10.0.0.11"))).toBe("rr-1 10.0.0.11");
  });

  it("leave invalid values for the schema to report", () => {
    expect(parseReflectors("rr-1")).toEqual([{ name: "rr-1", address: "" }]);
    expect(parseRouters("tor-1 10.0.0.1 many", 1)[0]?.asn).toBeNaN();
    expect(linesOf("\n \n")).toEqual([]);
  });
});
