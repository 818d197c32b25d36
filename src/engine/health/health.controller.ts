import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Open } from '../accounts/caller.decorator.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Answers, Refuses } from '../http/describe.decorator.js';
import { Problem } from '../http/problem.js';
import { missingParts } from './readiness.js';

const Alive = z.object({ status: z.literal('alive') }).meta({ id: 'Alive' });
const Ready = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });

/** For whoever runs the process: alive, and able to do its work. */
@ApiTags('health')
@Controller()
@Open()
export class HealthController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get('healthz')
  @ApiOperation({ summary: 'The process lives' })
  @Answers({ examples: { alive: { summary: 'It lives', value: { status: 'alive' } } } })
  @ApiOkResponse({ standardSchema: Alive, description: 'It lives.' })
  health(): z.infer<typeof Alive> {
    return { status: 'alive' };
  }

  /** Without Temporal or a worker bookings are accepted all the same, but do not go on. */
  @Get('readyz')
  @ApiOperation({ summary: 'Database, Temporal and the workers that live runs need are there' })
  @Answers({ examples: { ready: { summary: 'All is there', value: { status: 'ready' } } } })
  @Refuses('unavailable')
  @ApiOkResponse({ standardSchema: Ready, description: 'All of it is there.' })
  async ready(): Promise<z.infer<typeof Ready>> {
    const { control, temporal } = this.engine;
    const missing = await missingParts({ database: control, temporal });
    if (missing.length === 0) return { status: 'ready' };
    throw new Problem('unavailable', {
      detail: `Missing: ${missing.join(', ')}.`,
      members: { missing },
      headers: { 'Retry-After': '1' },
    });
  }
}
