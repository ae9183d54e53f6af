import { describe, expect, it } from "vitest";
import { isServedHost, readHosts } from "./served-hosts.ts";

describe("a Host header", () => {
  it.each([
    ["fairlead.example.com", true],
    ["Fairlead.Example.com.", true],
    ["fairlead.example.com:3000", true],
    ["localhost:3000", true],
    ["main.localhost", true],
    ["127.0.0.1:3000", true],
    ["192.168.1.5", true],
    ["[::1]:3000", true],
    ["evil.example", false],
    ["evil.example:3000", false],
    ["fairlead.example.com.evil.example", false],
    ["127.0.0.1.evil.example", false],
    ["localhost.evil.example", false],
    ["notlocalhost", false],
    ["evil.example@127.0.0.1", false],
    ["[evil.example]", false],
    ["127.0.0.1:3000:evil.example", false],
    ["", false],
  ])("%s names us: %s", (header, isOurs) => {
    expect(isServedHost(header, ["fairlead.example.com"])).toBe(isOurs);
  });
});

describe("the list of allowed hosts", () => {
  it.each([
    [undefined, []],
    ["", []],
    [" Fairlead.lan, fairlead.default.svc ,", ["fairlead.lan", "fairlead.default.svc"]],
    ["https://fairlead.lan", { problem: expect.stringContaining('"https://fairlead.lan" is not one') }],
    ["fairlead.lan:3000", { problem: expect.stringContaining("without scheme and port") }],
  ])("%j", (text, hosts) => {
    expect(readHosts(text)).toEqual(hosts);
  });
});
