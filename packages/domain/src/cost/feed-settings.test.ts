import { expect, it } from "vitest";
import { readFeedSettings } from "./feed-settings.ts";

it.each([
  [undefined, []],
  ["", []],
  [
    "aws, azure",
    [
      { feed: "aws", url: null },
      { feed: "azure", url: null },
    ],
  ],
  ["gcp=https://mirror.example/gcp", [{ feed: "gcp", url: "https://mirror.example/gcp" }]],
  ["oracle=http://127.0.0.1:8080/o", [{ feed: "oracle", url: "http://127.0.0.1:8080/o" }]],
])("reads %j", (text, settings) => {
  expect(readFeedSettings(text)).toEqual(settings);
});

it.each([
  ["awz", '"awz" is none of aws, azure, gcp, oracle, hetzner'],
  ["aws,aws", "aws is there twice"],
  ["aws=http://mirror.example", 'write a mirror as aws=https://host/path; it is "aws=http://mirror.example"'],
  ["aws=", "write a mirror as aws=https://host/path"],
  ["aws=https://user@mirror.example", "write a mirror as"],
  ["aws=ftp://mirror.example", "write a mirror as"],
])("refuses %j", (text, problem) => {
  expect(readFeedSettings(text)).toEqual({ problem: expect.stringContaining(problem) });
});
