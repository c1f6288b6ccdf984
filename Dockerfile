# Server, worker (`CMD` of compose.yaml) and commands. See docs/operations.md.
ARG BASE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${BASE} AS packages
WORKDIR /opt/adjutant
# Before the sources, so that their changes keep this layer. npm ci applies the driver's patch.
COPY package.json package-lock.json .npmrc ./
COPY patches patches
RUN npm ci --omit=dev --no-audit --no-fund
# Build tools, source maps and a second copy of Node are two thirds of the size.
RUN find node_modules -name '*.map' -delete \
  && rm -rf node_modules/node node_modules/.bin/node node_modules/@next/swc-* node_modules/@img node_modules/sharp node_modules/lucide-react node_modules/geist \
    node_modules/@typescript node_modules/typescript node_modules/lightningcss* node_modules/@tailwindcss node_modules/tailwindcss \
    node_modules/next/dist/esm node_modules/next/dist/docs node_modules/next/dist/bundle-analyzer

FROM ${BASE} AS build
WORKDIR /opt/adjutant
COPY package.json package-lock.json .npmrc ./
COPY patches patches
# With development packages: Next would install missing types itself and change package-lock.json,
# which is part of a build's digest.
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && rm -rf node_modules .data && find dist -name '*.map' -delete

FROM ${BASE} AS runtime
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/adjutant
# Files belong to root, so the process can only change mounts and this folder, which is for the
# embedded database.
RUN install -d -o 10001 -g 10001 -m 700 /var/lib/adjutant
WORKDIR /opt/adjutant
COPY --from=packages /opt/adjutant/node_modules node_modules
COPY --from=build /opt/adjutant ./
# A number, because Kubernetes' runAsNonRoot cannot look up a name.
USER 10001:10001
STOPSIGNAL SIGTERM

# `docker build --target backup`: PostgreSQL's programs must be as new as the server.
FROM runtime AS backup
USER root
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-15 && rm -rf /var/lib/apt/lists/*
USER 10001:10001
CMD ["node", "--import", "tsx", "scripts/backup.ts", "/backups"]

FROM runtime AS server
EXPOSE 3000
# Liveness only: a restart would not bring back a database. The load balancer asks /health/ready.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`, { signal: AbortSignal.timeout(4_000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that SIGTERM reaches it.
CMD ["node", "scripts/start.mjs"]
