// Runs on the Node version that starts npm, before any package is installed: Node's own modules only.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const stamp = path.join(root, "node_modules/.fairlead-installed");

/** launch installs the packages if they are missing or outdated, then runs the script with the pinned Node. */
export async function launch(script, args) {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20)
    fail(`Fairlead needs Node 20 or newer; this is ${process.version}. Install a newer Node and start again.`);
  await install();
  const node = path.join(root, "node_modules/.bin", process.platform === "win32" ? "node.cmd" : "node");
  if (!existsSync(node))
    fail('The pinned Node is not installed. Allow the install script of the npm package "node" and run npm ci.');
  const child = spawn(node, [path.join(root, script), ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    cwd: root,
    env: withPinnedNode(),
  });
  // The child handles the shutdown; this process only waits for it. If this process dies, the child's IPC channel closes.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function withPinnedNode() {
  return {
    // Node's compile cache halves the load time. Node invalidates it by file content.
    NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/compiled"),
    ...process.env,
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${process.env.PATH ?? ""}`,
  };
}

async function install() {
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log("• Installing packages (about a minute the first time)");
  const began = Date.now();
  const beat = setInterval(() => console.log(`  … ${Math.round((Date.now() - began) / 1000)} s`), 15_000);
  const output = [];
  const code = await new Promise((resolve) => {
    const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
    // With NODE_ENV=production npm would skip packages that the launcher needs.
    delete env.NODE_ENV;
    const child = spawn("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
    child.on("error", () => resolve(127));
    child.on("close", resolve);
  });
  clearInterval(beat);
  if (code !== 0) {
    process.stderr.write(Buffer.concat(output).toString().split("\n").slice(-25).join("\n"));
    fail(
      "The packages could not be installed (npm ci failed, see above). Check the network and the free disk space, and start again.",
    );
  }
  writeFileSync(stamp, wanted);
  console.log(`  done in ${Math.round((Date.now() - began) / 1000)} s`);
}

function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}
