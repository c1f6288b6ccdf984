# The service as an image: server, worker (`CMD` of compose.yaml) and the commands of docs/operations.md. How to build and run it: there.
ARG BASE=docker.io/library/node:24.21.0-bookworm-slim

FROM ${BASE} AS packages
WORKDIR /opt/adjutant
# Before the sources, so that a change in them does not install anew. The patch of the driver is applied by the installation.
COPY package.json package-lock.json .npmrc ./
COPY patches patches
RUN npm ci --omit=dev --no-audit --no-fund
# What only a build needs, what only a debugger reads, and a second copy of Node are two thirds of it.
RUN find node_modules -name '*.map' -delete \
  && rm -rf node_modules/node node_modules/.bin/node node_modules/@next/swc-* node_modules/@img node_modules/sharp node_modules/lucide-react node_modules/geist \
    node_modules/@typescript node_modules/typescript node_modules/lightningcss* node_modules/@tailwindcss node_modules/tailwindcss \
    node_modules/next/dist/esm node_modules/next/dist/docs node_modules/next/dist/bundle-analyzer

FROM ${BASE} AS build
WORKDIR /opt/adjutant
COPY package.json package-lock.json .npmrc ./
COPY patches patches
# All of them: Next installs types that it misses by itself, and writes into package-lock.json, which belongs to the digest of a build.
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/build.mjs && rm -rf node_modules .data && find dist -name '*.map' -delete

FROM ${BASE} AS runtime
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/adjutant
# Of root and read-only: the process can change nothing but what is mounted for it. The folder is for the embedded database alone.
RUN install -d -o 10001 -g 10001 -m 700 /var/lib/adjutant
WORKDIR /opt/adjutant
COPY --from=packages /opt/adjutant/node_modules node_modules
COPY --from=build /opt/adjutant ./
# A number, because Kubernetes' runAsNonRoot cannot look up a name.
USER 10001:10001
STOPSIGNAL SIGTERM

# `docker build --target backup`: with PostgreSQL's own programs, which have to be as new as the server.
FROM runtime AS backup
USER root
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-15 && rm -rf /var/lib/apt/lists/*
USER 10001:10001
CMD ["node", "--import", "tsx", "scripts/backup.ts", "/backups"]

FROM runtime AS server
EXPOSE 3000
# Whether the process lives. Whether it should get requests is asked at /health/ready, by the load balancer: a container that is
# restarted because its database is away would not bring it back.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`, { signal: AbortSignal.timeout(4_000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that SIGTERM reaches it.
CMD ["node", "scripts/start.mjs"]
