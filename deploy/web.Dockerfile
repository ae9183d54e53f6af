# The dashboard and the HTTP API. Build from the root: docker build -f deploy/web.Dockerfile .
# The agent for machines of both architectures, which the dashboard serves.
FROM golang:1.26.8-bookworm AS agents
WORKDIR /src
COPY agents/go.mod agents/go.sum ./
COPY agents/internal/bgp/gobgp/channels/ internal/bgp/gobgp/channels/
RUN go mod download
COPY agents .
RUN ./build-for amd64 /download/linux-amd64 && ./build-for arm64 /download/linux-arm64

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
ENV PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 NEXT_TELEMETRY_DISABLED=1
# The packages are a layer of their own: it is built again only when a dependency changes.
COPY package.json package-lock.json .npmrc ./
COPY agents/package.json agents/
COPY apps/controller/package.json apps/controller/
COPY apps/web/package.json apps/web/
COPY packages/agent-protocol/package.json packages/agent-protocol/
COPY packages/api/package.json packages/api/
COPY packages/client/package.json packages/client/
COPY packages/db/package.json packages/db/
COPY packages/domain/package.json packages/domain/
COPY packages/drivers/package.json packages/drivers/
COPY packages/http/package.json packages/http/
COPY packages/launcher/package.json packages/launcher/
COPY packages/reconciler/package.json packages/reconciler/
COPY packages/services/package.json packages/services/
COPY packages/telemetry/package.json packages/telemetry/
RUN npm ci --no-audit --no-fund
COPY . .
RUN cd apps/web && node ../../node_modules/next/dist/bin/next build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000
COPY --from=build --chown=node:node /app /app
COPY --from=agents --chown=node:node /download /app/agents/bin/download
USER node
EXPOSE 3000
WORKDIR /app/apps/web
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# preload.ts holds requests until the guards are there: Next.js listens earlier.
CMD ["node", "--import", "./src/preload.ts", "../../node_modules/next/dist/bin/next", "start", "--hostname", "0.0.0.0", "--port", "3000", "--keepAliveTimeout", "75000"]
