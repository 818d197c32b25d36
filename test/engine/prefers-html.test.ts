import { expect, test } from 'vitest';
import { prefersHtml } from '../../src/engine/http/prefers-html.js';

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML; level=1', true],
  ['text/*;q=0.5', true],
  ['application/json;q=0.4, text/html;q=0.5', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html;q=0', false],
  ['text/html;q=0, text/*', false],
  ['application/json, text/html', false],
  ['text/html;q=0.5, application/*', false],
  ['image/png', false],
])('who accepts %j gets HTML: %j', (header, html) => {
  expect(prefersHtml(header)).toBe(html);
});
