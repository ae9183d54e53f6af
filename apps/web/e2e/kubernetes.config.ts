import path from "node:path";
import { controlPlaneAddress } from "@fairlead/drivers/kubernetes-testing";
import { defineConfig } from "@playwright/test";
import { ports, root, storageState } from "./support/product.ts";
import { suite } from "./support/suite.ts";

const programs = path.join(root, "tools/kubernetes");

// Tests with a Kubernetes cluster whose nodes run containers. They have their own product instance, because agents in pods
// reach its gateway at an address of the nodes' network.
export default defineConfig(
  suite({
    workers: 1,
    globalTimeout: 20 * 60_000,
    globalSetup: [path.join(programs, "global-setup.ts"), path.join(programs, "nodes-global-setup.ts")],
    env: { FAIRLEAD_GATEWAY_URL: `https://${controlPlaneAddress}:${ports.gateway}` },
    projects: [
      { name: "sign-in", testMatch: "sign-in.setup.ts" },
      { name: "kubernetes", testDir: "kubernetes", dependencies: ["sign-in"], use: { storageState } },
    ],
  }),
);
