/** The files of Swagger UI that the page loads; no other file of it is served. */
export const DOCS_FILES: readonly string[] = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
];

/**
 * What the page may load: its own files from where it came, and nothing from anywhere else; the
 * style sheet has its icons within itself.
 */
export const DOCS_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The page at `/docs`. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recourse: the API</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>The page needs JavaScript. The description is at <a href="openapi.json">openapi.json</a>.
</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Stands for an Idempotency-Key in the description; the page has a new one at every load. */
export const SAMPLE_KEY = 'a-key-of-your-own';

/**
 * The script that shows a description, with `key` as the Idempotency-Key that is filled in. An API
 * key that is typed in stays in the page and is gone with it.
 */
export function docsScript(description: string, key: string): string {
  const settings = `{
  domNode: document.getElementById('swagger-ui'),
  spec: ${description.replaceAll(SAMPLE_KEY, key)},
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
}`;
  return `window.ui = SwaggerUIBundle(${settings});\n`;
}
