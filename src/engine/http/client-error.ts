import { Problem, PROBLEM_MEDIA_TYPE, PROBLEMS, problemDocument } from './problem.js';
import { RECOURSE_VERSION } from './recourse-version.js';

/** What Node's HTTP parser calls the errors that have a status of their own. */
const BY_PARSER_CODE = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
} as const;

type ClientErrorCode = (typeof BY_PARSER_CODE)[keyof typeof BY_PARSER_CODE] | 'request-malformed';

/** The problem that an error of the HTTP parser is answered with. */
export function clientErrorCode(parserCode: string | undefined): ClientErrorCode {
  const known = Object.hasOwn(BY_PARSER_CODE, parserCode ?? '');
  return known ? BY_PARSER_CODE[parserCode as keyof typeof BY_PARSER_CODE] : 'request-malformed';
}

/** The status line of each, as RFC 9110 and RFC 6585 name it. */
const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
};

/**
 * The bytes that answer a request which the HTTP parser could not read: there is no request object,
 * so the whole message is written here, and the connection ends with it.
 */
export function answerToClientError(
  code: ClientErrorCode,
  about: { readonly publicUrl: string; readonly requestId: string },
): string {
  const { status } = PROBLEMS[code];
  const body = JSON.stringify(problemDocument(new Problem(code), about));
  return [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `Request-Id: ${about.requestId}`,
    `Recourse-Version: ${RECOURSE_VERSION}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
