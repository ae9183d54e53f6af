import path from "node:path";
import type { NextConfig } from "next";
import { buildFolder } from "./src/env.ts";

const config: NextConfig = {
  distDir: buildFolder,
  // Our packages are TypeScript sources.
  transpilePackages: ["@fairlead/api", "@fairlead/db", "@fairlead/domain", "@fairlead/services"],
  // Pages and route handlers are bundled separately but share one database client. Prisma recognises its SQL fragments
  // by their class, so the process must have only one copy of it.
  serverExternalPackages: ["@prisma/client", "@prisma/adapter-pg", "pg"],
  outputFileTracingRoot: path.join(import.meta.dirname, "../.."),
  // These read files of the repository when they are requested.
  outputFileTracingIncludes: {
    "/docs/**": ["../../docs/**/*.md", "../../packages/client/README.md"],
    "/download/**": ["../../deploy/agent/**/*", "../../agents/bin/download/*"],
  },
  turbopack: { root: path.join(import.meta.dirname, "../..") },
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  devIndicators: false,
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    // Browsers use these only for documents, and an open page receives hundreds of answers of the API.
    { source: "/((?!api/).*)", headers: documentHeaders },
  ],
};

// The content security policy needs a nonce per request, so it is written in src/proxy.ts.
const securityHeaders = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
];
const documentHeaders = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
];

export default config;
