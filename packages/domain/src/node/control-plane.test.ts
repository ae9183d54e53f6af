import { describe, expect, it } from "vitest";
import { isLocalUrl } from "./control-plane.ts";

describe("isLocalUrl", () => {
  it.each([
    "https://127.0.0.1:7443",
    "https://127.8.9.10",
    "https://0.0.0.0:7443",
    "http://localhost:3000",
    "http://LOCALHOST.:3000",
    "https://fairlead.localhost",
    "https://[::1]:7443",
    "https://[::]:7443",
    "https://[::ffff:127.0.0.1]:7443",
  ])("is true for %s", (url) => expect(isLocalUrl(url)).toBe(true));

  it.each([
    "https://10.0.0.1:7443",
    "https://128.0.0.1",
    "https://fairlead.example.com",
    "https://localhost.example.com",
    "https://127.0.0.1.example.com",
    "https://[2001:db8::1]:7443",
    "https://[fd00::1]",
  ])("is false for %s", (url) => expect(isLocalUrl(url)).toBe(false));
});
