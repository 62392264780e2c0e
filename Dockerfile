# syntax=docker/dockerfile:1
# Stage 1 runs the same npm scripts as the tests do; stage 2 keeps what serving needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json biome.json vite.config.ts vite.server.config.ts ./
COPY shared shared
COPY server server
COPY web web
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4173 LOOPLIGHT_STATE=/state
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY data data
RUN mkdir /state && chown node:node /state
USER node
VOLUME ["/app/data", "/state"]
EXPOSE 4173
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4173/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
