import { expect, it } from "vitest";
import { parseLoops } from "./loops.ts";

it("parses the costs in the output of the Go benchmarks", () => {
  const text = `goos: linux
BenchmarkPacket/tcx/direct/IPv4-2         \t  300000\t       495.9 ns/op\t        39.00 ns/empty\t       210.0 ns/packet
BenchmarkTranslation/back/IPv6 \t  300000\t       872.3 ns/op\t        32.00 ns/empty\t       416.0 ns/packet
PASS
`;
  expect(parseLoops(text)).toEqual([
    { subject: "tcx direct IPv4", nanoseconds: 210, emptyNanoseconds: 39 },
    { subject: "tcx nat back IPv6", nanoseconds: 416, emptyNanoseconds: 32 },
  ]);
});

it("rejects a benchmark without costs", () => {
  expect(() => parseLoops("BenchmarkPacket/tcx/direct/IPv4-2  300000  495.9 ns/op")).toThrow(/No ns\/packet/);
});
