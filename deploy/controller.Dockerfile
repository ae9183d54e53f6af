# The reconciler, the agents' gateway and the meters; also runs the migrations. Build from the root:
# docker build -f deploy/controller.Dockerfile .
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
ENV PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build --chown=node:node /app /app
USER node
# Figures are on 7444, for this container only unless FAIRLEAD_CONTROLLER_METRICS_HOST says otherwise, as in compose.
EXPOSE 7443
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:7444/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/controller/src/main.ts"]
