import { launch } from "./bootstrap.mjs";

await launch("tools/test/main.ts", process.argv.slice(2));
