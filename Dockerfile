# One image for the API, the worker, the relay, the migrations and the command line; the command
# says which. It runs as nobody in particular on a file system that nobody can write to.

# The lock file decides every version, so the workflow bundle is made here, once, by the very SDK
# that will run it.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src src
COPY workflows workflows
COPY activities activities
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts \
  && find dist \( -name '*.d.ts' -o -name '.tsbuildinfo' \) -delete
# The SDK brings its core for five platforms, at 27 MB each: only this one's is kept.
RUN cd node_modules/@temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:20.20.2-bookworm-slim
# The image's own package managers are not needed to run, and are one thing less to keep patched.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx \
  /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/dist dist
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
CMD ["node", "--enable-source-maps", "dist/src/main.js", "recourse-api"]
