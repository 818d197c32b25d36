import { Body, Controller, HttpCode, Injectable, Module, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { Answers, Idempotent, phasesOf, Problem, Refuses, type PhasedHandler } from 'recourse/nest';
import { z } from 'zod';

// A domain whose only route asks a provider twice while its customer waits. It works by phases, and
// writes a row for each, so that a phase that is written twice is seen.

const Wish = z.object({ thing: z.string() }).strict();
type Wish = z.infer<typeof Wish>;

const Quote = z
  .object({ id: z.string(), thing: z.string(), price: z.number(), fee: z.number() })
  .meta({ id: 'Quote' });
const QUOTED = {
  seat: { summary: 'A seat', value: { id: 'quote_1', thing: 'seat', price: 700, fee: 700 } },
};

/** Long enough for a busy machine, short enough for a test. */
export const QUOTE_LEASE_MS = 5_000;

async function ask(path: string, key: string, thing: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(`${process.env['QUOTES_URL']}/${path}`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ thing }),
    signal,
  });
  if (response.status === 409) throw new Problem('past-pivot');
  if (!response.ok) throw new Error(`the provider answered ${response.status}`);
  return ((await response.json()) as { amount: number }).amount;
}

const NOTE = `insert into quote_steps (quote, step) values ($1::text, $2::text)`;

@Injectable()
export class QuoteHandler implements PhasedHandler<Wish> {
  readonly name = 'quote';
  readonly leaseMs = QUOTE_LEASE_MS;
  readonly phases = phasesOf<Wish>()
    .phase('price', {
      work: ({ thing }, { keyFor, signal }) => ask('price', keyFor('price'), thing, signal),
      write: async (tx, price, { thing }, { idFor }) => {
        await tx.query(NOTE, [idFor('quote'), 'price']);
        return { thing, price };
      },
    })
    .phase('fee', {
      work: ({ thing }, { keyFor, signal }) => ask('fee', keyFor('fee'), thing, signal),
      write: async (tx, fee, state, { idFor }) => {
        await tx.query(NOTE, [idFor('quote'), 'fee']);
        return { ...state, fee };
      },
    })
    .answer('offer', {
      work: async () => null,
      write: async (tx, _nothing, { thing, price, fee }, { idFor }) => {
        const id = idFor('quote');
        await tx.query(NOTE, [id, 'offer']);
        return { status: 201, body: { id, thing, price, fee }, location: `/v1/quotes/${id}` };
      },
    });
}

@ApiTags('quotes')
@Controller('v1/quotes')
class QuotesController {
  @Post()
  @HttpCode(201)
  @Idempotent({ phases: QuoteHandler })
  @Answers({ examples: QUOTED, always: ['Location', 'Idempotency-Expires'] })
  @Refuses('past-pivot')
  @ApiCreatedResponse({ standardSchema: Quote, description: 'Offered.' })
  quote(@Body({ schema: Wish }) wish: Wish): Wish {
    return wish;
  }
}

@Module({ controllers: [QuotesController], providers: [QuoteHandler] })
export class QuotesModule {}
