/** The version of the HTTP interface: a date, so that it can be pinned per account. */
export const RECOURSE_VERSION = '2026-12-01';
