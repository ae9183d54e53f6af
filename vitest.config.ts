import { defineConfig } from "vitest/config";

// Files named *.db.test.ts get a PostgreSQL of their own, those named *.timed.test.ts the whole machine as well,
// those named *.cloud.test.ts an emulated cloud, those named *.kube-cloud.test.ts that and AWS' controller as well, those named *.redis.test.ts a cluster of Redis servers, those named
// *.kube.test.ts a Kubernetes API, those named *.kubelet.test.ts nodes that run containers; those named *.patient.test.ts
// wait for clocks and programs. The rest need nothing but Node and run in `npm run verify`.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.{ts,tsx}", "tools/**/*.test.ts"],
          exclude: [
            "**/*.db.test.ts",
            "**/*.timed.test.ts",
            "**/*.patient.test.ts",
            "**/*.system.test.ts",
            "**/*.cloud.test.ts",
            "**/*.redis.test.ts",
            "**/*.kube.test.ts",
            "**/*.kubelet.test.ts",
            "**/*.kube-cloud.test.ts",
            "**/node_modules/**",
          ],
          testTimeout: 20_000,
          maxWorkers: 2,
          // Loading what they test takes three times as long as the tests: files share it, and leave nothing behind.
          isolate: false,
        },
      },
      {
        test: {
          name: "patient",
          include: ["packages/*/src/**/*.patient.test.ts", "tools/**/*.patient.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          name: "db",
          include: ["packages/*/src/**/*.db.test.ts", "apps/*/src/**/*.db.test.ts", "tools/**/*.db.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["packages/db/src/testing/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          isolate: false, // as above
          sequence: { groupOrder: 1 },
        },
      },
      {
        // These ask a cloud's API, which an emulator from PyPI answers.
        test: {
          name: "cloud",
          include: ["packages/*/src/**/*.cloud.test.ts", "apps/*/src/**/*.cloud.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: [
            "packages/db/src/testing/global-setup.ts",
            "packages/drivers/src/cloud-route/testing/global-setup.ts",
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        // These ask a Kubernetes API: a real etcd and kube-apiserver, built from their Go modules.
        test: {
          name: "kube",
          include: ["packages/*/src/**/*.kube.test.ts", "apps/*/src/**/*.kube.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: [
            "packages/db/src/testing/global-setup.ts",
            "tools/kubernetes/global-setup.ts",
            "packages/drivers/src/kubernetes/testing/global-setup.ts",
          ],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 6 },
        },
      },
      {
        // These have AWS' own Service controller make the balancers of a Kubernetes cluster, in a cloud that is emulated.
        test: {
          name: "kube-cloud",
          include: ["packages/*/src/**/*.kube-cloud.test.ts", "apps/*/src/**/*.kube-cloud.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: [
            "packages/db/src/testing/global-setup.ts",
            "tools/kubernetes/global-setup.ts",
            "tools/kubernetes/aws-global-setup.ts",
            "packages/drivers/src/cloud-route/testing/global-setup.ts",
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 9 },
        },
      },
      {
        // These send traffic into pods: nodes in network namespaces, with real kubelets, containerd and kube-proxy.
        test: {
          name: "kubelet",
          include: ["packages/*/src/**/*.kubelet.test.ts", "apps/*/src/**/*.kubelet.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: [
            "packages/db/src/testing/global-setup.ts",
            "tools/kubernetes/global-setup.ts",
            "tools/kubernetes/nodes-global-setup.ts",
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 8 },
        },
      },
      {
        test: {
          name: "redis",
          include: ["packages/*/src/**/*.redis.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 5 },
        },
      },
      {
        test: {
          name: "timed",
          include: ["packages/*/src/**/*.timed.test.ts", "apps/*/src/**/*.timed.test.ts"],
          globalSetup: ["packages/db/src/testing/global-setup.ts"],
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // These start the whole product, as its users do, and harm it.
        test: {
          name: "system",
          include: ["packages/launcher/src/**/*.system.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
