import { expect, it } from "vitest";
import { describeChange } from "./describe-change.ts";

type Change = Parameters<typeof describeChange>[0];
type Mapped = NonNullable<Change["after"]>;
const end = (change: Partial<Mapped["ends"][number]> = {}): Mapped["ends"][number] => ({
  protocol: "tcp",
  internalAddress: "10.0.0.1",
  internalPort: 6379,
  externalAddress: "192.0.2.1",
  externalPort: 7000,
  ready: true,
  ...change,
});
const mapped = (change: Partial<Mapped> = {}): Mapped => ({
  pod: "p",
  node: "n1",
  ready: true,
  ends: [end()],
  ...change,
});

it.each<[Change["what"], Mapped | null, Mapped | null, string]>([
  ["added", null, mapped(), "10.0.0.1:6379 → 192.0.2.1:7000, on n1"],
  ["removed", mapped({ node: null }), null, "10.0.0.1:6379 → 192.0.2.1:7000"],
  ["added", null, mapped({ node: null, ends: [end({ externalAddress: "" })] }), "10.0.0.1:6379 → no address"],
  [
    "moved",
    mapped(),
    mapped({ ends: [end({ externalAddress: "2001:db8::1" })] }),
    "192.0.2.1:7000 → [2001:db8::1]:7000",
  ],
  ["moved", mapped(), mapped({ node: "n2", pod: "q" }), "node n1 → n2; pod p → q"],
  [
    "moved",
    mapped(),
    mapped({ ready: false, ends: [end({ internalAddress: "10.0.0.9", ready: false })] }),
    "inside 10.0.0.1:6379 → 10.0.0.9:6379; no longer ready",
  ],
  ["unready", mapped(), mapped({ ready: false, ends: [end({ ready: false })] }), ""],
  [
    "unready",
    mapped({ ends: [end(), end({ internalPort: 1 })] }),
    mapped({ ready: false, ends: [end(), end({ internalPort: 1, ready: false })] }),
    "port 1",
  ],
])("describes a change of kind %s", (what, before, after, want) => {
  expect(describeChange({ what, before, after })).toBe(want);
});
