import { launch } from "./bootstrap.mjs";

await launch("packages/launcher/src/test.ts", process.argv.slice(2));
