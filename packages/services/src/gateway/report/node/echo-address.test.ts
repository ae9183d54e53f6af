import { expect, it } from "vitest";
import { checkEchoAddress } from "./echo-address.ts";

it.each(["10.0.0.1:7445", "203.0.113.7:1", "[2001:db8::1]:65535", "[fd00::1]:7445"])("accepts %s", (address) => {
  expect(checkEchoAddress(address)).toBe(address);
});

it.each([
  ...["", "10.0.0.1", ":7445", "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.256:7445", "host.example:7445"],
  ...["127.0.0.1:7445", "0.0.0.0:7445", "169.254.0.1:7445", "224.0.0.1:7445", "255.255.255.255:7445"],
  ...["[::]:7445", "[::1]:7445", "[fe80::1]:7445", "[fe80::1%eth0]:7445", "[ff02::1]:7445", "[::ffff:127.0.0.1]:7445"],
  ...["[10.0.0.1]:7445", "2001:db8::1:7445", "010.0.0.1:7445", "10.0.0.1:7445\0"],
])("rejects %j, which other nodes can't send to", (address) => {
  expect(checkEchoAddress(address)).toBe("");
});
