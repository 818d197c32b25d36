type Effect = Readonly<Record<string, unknown>>;
type SayMoney = (money: { readonly amount: number; readonly currency: string }) => string;

/** What came of one thing that a provider did. */
export interface Standing {
  readonly what: string;
  readonly stands: boolean;
  readonly how: string;
}

/**
 * What stands of a trip by the providers' own record, the first effect first: every charge, seat,
 * room and receipt with what became of it, how often it was undone included.
 */
export function standingOf(effects: readonly Effect[], sayMoney: SayMoney): readonly Standing[] {
  const times = (kind: string, member: string, id: unknown) =>
    effects.filter((effect) => effect.kind === kind && effect[member] === id).length;
  return effects.flatMap((effect) => {
    const { kind, id } = effect;
    switch (kind) {
      case 'charge':
        return stand(`charge ${id}, ${sayMoney(moneyOf(effect))}`, {
          refunded: times('refund', 'charge', id),
        });
      case 'hold':
        return stand(
          `seat ${id}`,
          { released: times('release', 'id', id) },
          times('ticket', 'id', id) > 0 ? 'stands, with its ticket' : 'stands',
        );
      case 'reserve':
        return stand(`room ${id}`, { released: times('cancel', 'id', id) });
      case 'message':
        return stand(`message ${id}`, {}, 'was sent');
      default:
        return [];
    }
  });
}

function stand(
  what: string,
  undone: Readonly<Record<string, number>>,
  otherwise = 'stands',
): readonly Standing[] {
  const [undo] = Object.entries(undone).filter(([, times]) => times > 0);
  if (undo === undefined) return [{ what, stands: true, how: otherwise }];
  const [word, times] = undo;
  return [{ what, stands: false, how: times === 1 ? `${word} once` : `${word} ${times} times` }];
}

function moneyOf({ amount, currency }: Effect): { amount: number; currency: string } {
  return { amount: Number(amount), currency: String(currency) };
}
