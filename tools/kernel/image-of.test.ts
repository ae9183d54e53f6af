import { expect, it } from "vitest";
import { imageOf } from "./image-of.ts";

it("finds the package with the kernel", () => {
  const depends = "linux-image-6.12-cloud-amd64\n  Depends: linux-image-6.12.117+deb12-cloud-amd64\n";
  expect(imageOf("linux-image-6.12-cloud-amd64", depends)).toBe("linux-image-6.12.117+deb12-cloud-amd64");
});

it("throws what to do if there is none", () => {
  expect(() => imageOf("linux-image-6.12-cloud-amd64", "")).toThrow("run apt-get update");
});
