import { describe, expect, it } from "vitest";
import { readPriceMirrors, readScheduledFeeds } from "./feed-settings.ts";

describe("the setting of scheduled feeds", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["aws, azure,aws", ["aws", "azure"]],
    ["awz", { problem: '"awz" is none of aws, aws-machines, azure, gcp, oracle, hetzner' }],
    ["aws=https://mirror.example", { problem: expect.stringContaining("is none of") }],
  ])("is parsed: %j", (text, feeds) => {
    expect(readScheduledFeeds(text)).toEqual(feeds);
  });
});

describe("the setting of mirrors", () => {
  it.each([
    [undefined, {}],
    [
      "gcp=https://mirror.example/gcp, oracle=http://127.0.0.1:8080/o",
      { gcp: "https://mirror.example/gcp", oracle: "http://127.0.0.1:8080/o" },
    ],
  ])("is parsed: %j", (text, mirrors) => {
    expect(readPriceMirrors(text)).toEqual(mirrors);
  });

  it.each([
    ["ibm=https://mirror.example", '"ibm" is none of'],
    ["aws", 'enter each as aws=https://host/path; one is "aws"'],
    ["aws=http://mirror.example", 'one is "aws=http://mirror.example"'],
    ["aws=", "enter each as"],
    ["aws=https://user@mirror.example", "enter each as"],
    ["aws=ftp://mirror.example", "enter each as"],
  ])("is rejected: %j", (text, problem) => {
    expect(readPriceMirrors(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
