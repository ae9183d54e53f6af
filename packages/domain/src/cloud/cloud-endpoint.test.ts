import { describe, expect, it } from "vitest";
import { endpointProblem, readEndpoints } from "./cloud-endpoint.ts";

const allowed = ["http://127.0.0.1:5000", "https://vpce-1.example"];

describe("an endpoint of a cloud's API", () => {
  it.each([
    "https://ec2.eu-central-1.amazonaws.com",
    "https://ec2.eu-central-1.amazonaws.com/",
    "https://52.94.133.131",
    "https://ec2.example:8443",
    "http://127.0.0.1:5000",
    "https://vpce-1.example",
  ])("may be %s", (endpoint) => {
    expect(endpointProblem(endpoint, allowed)).toBe("");
  });

  it.each([
    ["http://ec2.example", "must use https://"],
    ["http://169.254.169.254", "must use https://"],
    ["https://169.254.169.254", "169.254.169.254 is not on the internet"],
    ["https://[fd00:ec2::254]", "fd00:ec2::254 is not on the internet"],
    ["https://[::ffff:127.0.0.1]", "not on the internet"],
    ["https://2130706433", "127.0.0.1 is not on the internet"],
    ["https://0x7f.1", "127.0.0.1 is not on the internet"],
    ["https://10.1.2.3", "10.1.2.3 is not on the internet"],
    ["https://localhost:8443", "localhost is not on the internet"],
    ["https://x.localhost", "not on the internet"],
    ["http://127.0.0.1:5001", "must use https://"],
    ["https://127.0.0.1:5000", "not on the internet"],
    ["https://ec2.example/latest/meta-data", "without user name or path"],
    ["https://ec2.example?x=1", "without user name or path"],
    ["https://ec2.example#x", "without user name or path"],
    ["https://user:word@ec2.example", "without user name or path"],
    ["file:///etc/passwd", "enter the endpoint as https://host"],
    ["nothing", "enter the endpoint as https://host"],
  ])("may not be %s", (endpoint, why) => {
    expect(endpointProblem(endpoint, allowed)).toContain(why);
  });
});

describe("the setting of allowed endpoints", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["http://127.0.0.1:5000/, https://vpce-1.example", allowed],
    ["https://VPCE-1.example:443", ["https://vpce-1.example"]],
  ])("is parsed: %s", (text, want) => {
    expect(readEndpoints(text)).toEqual(want);
  });

  it.each(["127.0.0.1:5000", "https://a/b", "ftp://a", "on"])("is rejected: %s", (text) => {
    expect(readEndpoints(text)).toEqual({ problem: expect.stringContaining(text) });
  });
});
