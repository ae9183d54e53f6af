import path from "node:path";
import { defineConfig } from "vitest/config";

// The name of a test file says what it needs:
// - *.patient.test.ts waits for real clocks and starts programs
// - *.db.test.ts needs a PostgreSQL server, which is started once per run
// - *.cloud.test.ts needs PostgreSQL and an emulated AWS API
// - *.redis.test.ts starts a Redis Cluster
// - *.kube.test.ts needs a Kubernetes control plane (etcd and kube-apiserver)
// - *.kube-cloud.test.ts needs a control plane, an emulated AWS API, and the AWS cloud controller manager
// - *.kubelet.test.ts needs nodes that run containers
// - *.timed.test.ts measures latency, so nothing else may run at the same time
// - *.system.test.ts starts the whole product
// Every other test needs only Node and runs in `npm run verify`.

/** Time limits are for a machine on which other suites run as well: they end a test that hangs, and prove nothing. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    projects: [
      {
        // As in apps/web/tsconfig.json, for tests that render components.
        resolve: { alias: { "@": path.resolve(import.meta.dirname, "apps/web/src") } },
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
          testTimeout: 60_000,
          maxWorkers: 2,
          // Loading modules takes three times as long as the tests: files share them, and leave nothing behind.
          isolate: false,
        },
      },
      {
        test: {
          name: "patient",
          include: ["packages/*/src/**/*.patient.test.ts", "tools/**/*.patient.test.ts"],
          exclude: ["**/node_modules/**"],
          ...patient,
          maxWorkers: 2,
          isolate: false, // as above
          sequence: { groupOrder: 7 },
        },
      },
      {
        test: {
          name: "db",
          include: ["packages/*/src/**/*.db.test.ts", "apps/*/src/**/*.db.test.ts", "tools/**/*.db.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["packages/db/src/testing/global-setup.ts"],
          ...patient,
          maxWorkers: 2,
          isolate: false, // as above
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The emulator of AWS is a Python program from PyPI.
        test: {
          name: "cloud",
          include: ["packages/*/src/**/*.cloud.test.ts", "apps/*/src/**/*.cloud.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: [
            "packages/db/src/testing/global-setup.ts",
            "packages/drivers/src/cloud-route/testing/global-setup.ts",
          ],
          ...patient,
          maxWorkers: 2,
          isolate: false, // as above
          sequence: { groupOrder: 4 },
        },
      },
      {
        // A real etcd and kube-apiserver, built from their Go modules.
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
        // The AWS cloud controller manager creates load balancers for a Kubernetes cluster in an emulated cloud.
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
        // Traffic into pods: nodes in network namespaces, with real kubelets, containerd and kube-proxy.
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
        // They start the whole product as a user does, and inject faults.
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
