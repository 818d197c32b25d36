/** What came of one request to a provider. A value, because none of it is a bug of ours. */
export type Answer =
  | Answered
  /** Certainly nothing was sent: no byte was handed to the socket. */
  | { readonly kind: 'not-sent'; readonly reason: NotSent }
  /** Something may have been sent, and no whole answer came back. */
  | { readonly kind: 'lost'; readonly cause: Lost };

/** A whole answer was read; whether its body makes sense is said beside it. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly body: Body;
  /** The provider asks to be left alone for so long: Retry-After, read and capped. */
  readonly retryAfterMs?: number;
}

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unreadable'; readonly why: Unreadable };

export type NotSent =
  'connection-refused' | 'name-not-found' | 'tls-failed' | 'not-connected' | 'deadline' | 'aborted';

export type Lost = 'time-out' | 'connection-lost' | 'truncated' | 'too-large' | 'not-http';

export type Unreadable = 'not-json-type' | 'compressed' | 'not-utf8' | 'not-json';
