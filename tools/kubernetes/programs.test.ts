import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { moduleFolder } from "./programs.ts";

const requiredBy = (module: "kubernetes" | "kubelet") =>
  /\bk8s\.io\/kubernetes (v\S+)/.exec(readFileSync(path.join(moduleFolder(module), "go.mod"), "utf8"))?.[1];

it("nodes run the Kubernetes of their control plane", () => {
  expect(requiredBy("kubelet")).toMatch(/^v\d/);
  expect(requiredBy("kubelet")).toBe(requiredBy("kubernetes"));
});
