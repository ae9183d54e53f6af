import { launch } from "./bootstrap.mjs";

await launch("packages/launcher/src/start.ts", process.argv.slice(2));
