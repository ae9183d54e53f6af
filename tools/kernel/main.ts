import { spawnSync } from "node:child_process";
import path from "node:path";
import { runsOk } from "./run.ts";
import { unpackKernel } from "./unpack-kernel.ts";

// `npm run kernel`: the contract of the eBPF engines on Debian's Linux 6.12, in QEMU. It takes about half an hour, because QEMU
// emulates the processor. Needs Debian 12 as root.
const root = path.resolve(import.meta.dirname, "../..");
const kernel = "linux-image-6.12-cloud-amd64";

if (!runsOk("qemu-system-x86_64", ["--version"]) || !runsOk("depmod", ["--version"])) {
  const installed = spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "qemu-system-x86", "kmod"], {
    stdio: "inherit",
  });
  if (installed.status !== 0) throw new Error("QEMU or depmod isn't here: run apt-get install qemu-system-x86 kmod");
}
const folder = unpackKernel(kernel);
console.log(`Contract on ${path.basename(folder)}`);
const { status } = spawnSync(
  "go",
  [
    ...[
      "test",
      "-tags",
      "otherkernel",
      "-count=1",
      "-p=1",
      "-timeout=90m",
      "-v",
      "-run",
      "TestContractOnAnotherKernel",
    ],
    ...["./internal/balancer/datapath/tcx", "./internal/balancer/datapath/xdp"],
  ],
  {
    cwd: path.join(root, "agents"),
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0", FAIRLEAD_TEST_KERNEL: folder },
  },
);
process.exitCode = status ?? 1;
