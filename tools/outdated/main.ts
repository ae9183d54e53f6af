import path from "node:path";
import { containerImages } from "./container-images.ts";
import { findGoModules } from "./go-modules.ts";
import { heldBack } from "./held-back.ts";
import { hold } from "./hold.ts";
import { findNpmPackages } from "./npm-packages.ts";
import { findPythonTools } from "./python-tools.ts";
import { renderReport } from "./render-report.ts";

// `npm run outdated`: pinned versions for which a newer one exists. A report, not a check: it always ends
// with 0. It queries the registries that npm, Go and pip use on this machine.
const root = path.resolve(import.meta.dirname, "../..");

const lookups = await Promise.all([findNpmPackages(root, heldBack), findGoModules(root), findPythonTools(root)]);
const images = new Set(containerImages(root).map(({ name, tag }) => `${name}:${tag}`));
const failed = [
  ...lookups.flatMap((lookup) => lookup.failed),
  ...[...images].map(
    (image) => `the image ${image}: image registries are not queried; its version follows a pin above`,
  ),
];
const pins = lookups.flatMap((lookup) => lookup.pins);
console.log(renderReport({ ...hold(pins, heldBack), failed }));
