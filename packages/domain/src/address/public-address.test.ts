import { expect, it } from "vitest";
import { isOwnAddress, isPublicAddress } from "./public-address.ts";

it.each(["1.1.1.1", "52.94.133.131", "172.15.0.1", "172.32.0.1", "169.253.0.1", "2600:1f00::1", "2a05:d050::1"])(
  "%s is a public address",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  "0.0.0.0",
  "10.0.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "2002:a9fe:a9fe::1",
  "2001:db8::1",
  "ff02::1",
])("%s is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  "0.0.0.0",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::169.254.169.254",
  "fd00:ec2::254",
  "fe80::1%eth0",
  "ff02::1",
])("%s may lead to the own host or link", (address) => {
  expect(isOwnAddress(address)).toBe(true);
});

it.each([
  "10.0.0.1",
  "192.168.1.1",
  "192.0.2.1",
  "203.0.113.7",
  "126.255.255.255",
  "128.0.0.1",
  "fd00::1",
  "fd00:ec2::253",
  "64:ff9b:1::1",
  "2001:db8::1",
])("%s leads to another host", (address) => {
  expect(isOwnAddress(address)).toBe(false);
});
