import { Body, Controller, Get, HttpCode, Inject, Module, Param, Post } from '@nestjs/common';
import {
  Answer,
  claimedId,
  CurrentCaller,
  CurrentClaim,
  Idempotent,
  IdPipe,
  jsonBytes,
  Money,
  Problem,
  Runs,
  StartsRun,
  Words,
  type Caller,
  type Claim,
  type RunSnapshot,
} from 'recourse/nest';
import { z } from 'zod';
import { orderGoodsV1 } from './order-goods.v1.saga.js';

const OrderRequest = z.strictObject({
  goods: z.strictObject({ sku: Words(100), quantity: z.int().min(1).max(100) }),
  payment: Money.extend({ source: Words(200) }),
  address: Words(300),
});

@Controller('v1/orders')
class OrdersController {
  constructor(@Inject(Runs) private readonly runs: Runs) {}

  /** Accepted once it is on record; however often it is sent with one key, it is one order. */
  @Post()
  @HttpCode(202)
  @Idempotent()
  @StartsRun()
  order(
    @CurrentClaim() claim: Claim,
    @Body({ schema: OrderRequest }) input: z.infer<typeof OrderRequest>,
  ): Promise<Answer> {
    const order = { id: claimedId('ord', claim), saga: orderGoodsV1.name, reference: null, input };
    return this.runs.start(claim, order, (run) => ({
      status: 202,
      body: presentOrder(run),
      location: `/v1/orders/${run.id}`,
    }));
  }

  @Get(':id')
  async read(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<Answer> {
    const run = await this.runs.find(caller.account, id);
    if (run.saga !== orderGoodsV1.name) throw new Problem('not-found');
    return new Answer(200, jsonBytes(presentOrder(run)), {});
  }
}

@Module({ controllers: [OrdersController] })
export class OrdersModule {}

function presentOrder({ id, status, failure, steps }: RunSnapshot) {
  return {
    object: 'order',
    id,
    status,
    failure: failure === null ? null : { code: failure.code, step: failure.step },
    steps: steps.map(({ name, state, undo }) => ({ name, state, undo })),
  };
}
