import type { Api } from './api.client.js';

interface PageOf<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** What a page of the API holds at most. */
const PAGE_MOST = 100;

/** A list of the API as one page of at most `most` items, however many it takes. */
export async function readPages<Item>(
  api: Api,
  path: string,
  filter: Readonly<Record<string, string>>,
  most: number,
): Promise<PageOf<Item>> {
  const query = new URLSearchParams(filter);
  const data: Item[] = [];
  for (;;) {
    query.set('limit', String(Math.min(PAGE_MOST, most - data.length)));
    const { document } = await api.get<PageOf<Item>>(`${path}?${query}`, 'list');
    data.push(...document.data);
    if (!document.has_more || document.next_cursor === null || data.length >= most) {
      return { ...document, data };
    }
    query.set('cursor', document.next_cursor);
  }
}
