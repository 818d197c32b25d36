# One image for the API, the worker, the relay and the migrate job; the command says which.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:20.20.2-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
CMD ["node", "--enable-source-maps", "dist/src/main.js", "recourse-api"]
