import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";

// `npm run build --workspace @fairlead/web`: the production build that `npm start` runs, in a separate folder. No
// product runs on that folder: the launcher moves each build to another name (packages/launcher/src/build/build-web.ts).
const root = path.resolve(import.meta.dirname, "../..");
const web = path.join(root, "apps/web");
const distDir = path.join(".next-builds", "built");
const settings = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", FAIRLEAD_WEB_BUILD: distDir };

rmSync(path.join(web, distDir), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [path.join(root, "node_modules/next/dist/bin/next"), "build"], {
  cwd: web,
  env: { ...process.env, ...settings } as NodeJS.ProcessEnv,
  stdio: "inherit",
});
// The build cache is only useful for another build in the same folder, and there is none.
rmSync(path.join(web, distDir, "cache"), { recursive: true, force: true });
// It refers to types in the build folder, which may be removed.
rmSync(path.join(web, "next-env.d.ts"), { force: true });
process.exit(status ?? 1);
