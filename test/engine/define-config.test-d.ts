import type { Act, AnyAct } from 'recourse';
import { defineConfig } from 'recourse/config';
import { test } from 'vitest';
import { inARow } from './saga/parcels.js';

interface ShopActs {
  readonly order: Act<'shop', null, string>;
}
declare const acts: ShopActs;
declare const anyActs: Readonly<Record<string, AnyAct>>;
const right = { sagas: [inARow], providers: { shop: { keyWindowMs: null } } };

test('acts may be an interface, or what a function answers', () => {
  defineConfig({ ...right, acts });
  defineConfig({ ...right, acts: () => acts });
  defineConfig({ ...right, acts: anyActs });
});

test('what is no act, and what nobody knows, does not compile', () => {
  // @ts-expect-error an act has a kind and a perform
  defineConfig({ ...right, acts: { order: 7 } });
  // @ts-expect-error there is no such option
  defineConfig({ ...right, acts, saga: [] });
  // @ts-expect-error the acts are missing
  defineConfig({ ...right });
});
