import { createHash } from 'node:crypto';
import { Problem } from './problem.js';

/** 128 bits: nobody gains by two answers that look alike. */
const DIGEST_CHARACTERS = 22;

/**
 * The strong entity tag of an answer about something with a revision: `"7-kx3…"`. What is decided
 * by it depends on the revision alone, whether it must be sent again on every byte.
 */
export function entityTag(revision: number, bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return `"${revision}-${digest.slice(0, DIGEST_CHARACTERS)}"`;
}

/** The tag of a revision by itself: good for If-Match, and no answer that is read has it. */
export function revisionTag(revision: number): string {
  return `"${revision}"`;
}

interface Tag {
  readonly weak: boolean;
  /** Between the quotes. */
  readonly opaque: string;
}

/**
 * One member of the list, which may be empty, and what ends it (RFC 9110, 5.6.1 and 8.8.3). Blanks
 * without a tag belong to one part of it only: many of them are read once.
 */
const MEMBER = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(,|$)/y;

/** The tags of a condition; `*` for any; null for what is no list of tags. */
function readTags(header: string): '*' | readonly Tag[] | null {
  if (header.trim() === '*') return '*';
  const tags: Tag[] = [];
  MEMBER.lastIndex = 0;
  for (;;) {
    const member = MEMBER.exec(header);
    if (member === null) return null;
    const [, weak, opaque, end] = member;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
    if (end === '') return tags;
  }
}

/**
 * Whether If-None-Match says that the caller has what `tag` names; compared weakly, as RFC 9110,
 * 13.1.2 has it. One that cannot be read is as none: then all of it is sent.
 */
export function hasAlready(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = ifNoneMatch === undefined ? null : readTags(ifNoneMatch);
  if (tags === null || tags === '*') return tags === '*';
  return tags.some(({ opaque }) => `"${opaque}"` === tag);
}

/** The revisions that If-Match names: `any` for `*`, none for weak tags and what is no list. */
export function revisionsIn(ifMatch: string): 'any' | readonly number[] {
  const tags = readTags(ifMatch);
  if (tags === '*') return 'any';
  return (tags ?? []).flatMap(({ weak, opaque }) => {
    const revision = /^(\d{1,9})(?:-[\w-]{22})?$/.exec(opaque)?.[1];
    return weak || revision === undefined ? [] : [Number(revision)];
  });
}

/**
 * Refuses what was decided by another revision than the one there is; without an If-Match nothing
 * is. To be called in the transaction that holds the lock, so that nothing of it is kept. Throws
 * Problem: changed-since-you-looked.
 */
export function refuseChanged(ifMatch: string | undefined, revision: number): void {
  if (ifMatch === undefined) return;
  const named = revisionsIn(ifMatch);
  if (named === 'any' || named.includes(revision)) return;
  throw new Problem('changed-since-you-looked', { headers: { ETag: revisionTag(revision) } });
}
