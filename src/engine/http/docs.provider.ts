import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DOCS_FILES, DOCS_PAGE, DOCS_POLICY, docsScript } from './docs-page.js';

const require = createRequire(import.meta.url);
const UI_FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));
/** They change with an upgrade only, and then their ETag does. */
const FILES_KEPT = '1h';

/**
 * Serves the description of the API at `/openapi.json`, and as a page at `/docs` that needs nothing
 * from elsewhere.
 */
export async function serveDocs(server: FastifyInstance, description: () => string): Promise<void> {
  server.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description()),
  );
  server.get('/docs', (_request, reply) =>
    reply
      .headers({ 'Content-Security-Policy': DOCS_POLICY, 'X-Content-Type-Options': 'nosniff' })
      .type('text/html; charset=utf-8')
      .send(DOCS_PAGE),
  );
  server.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
  server.get('/docs/start.js', (request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .send(docsScript(description(), `docs-${request.id}`)),
  );
  await server.register(fastifyStatic, {
    root: UI_FOLDER,
    prefix: '/docs/',
    index: false,
    decorateReply: false,
    maxAge: FILES_KEPT,
    allowedPath: (path) => DOCS_FILES.includes(path.slice(1)),
  });
}
