import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Open } from '../accounts/caller.decorator.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import { missingParts } from './readiness.js';

/** For whoever runs the process: alive, and able to do its work. */
@ApiTags('health')
@Controller()
@Open()
export class HealthController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get('healthz')
  @ApiOperation({ summary: 'The process lives' })
  health(): { status: 'alive' } {
    return { status: 'alive' };
  }

  /** Without Temporal or a worker bookings are accepted all the same, but do not go on. */
  @Get('readyz')
  @ApiOperation({ summary: 'Database, Temporal and the workers that live runs need are there' })
  async ready(): Promise<{ status: 'ready' }> {
    const missing = await missingParts(this.engine);
    if (missing.length === 0) return { status: 'ready' };
    throw new Problem('unavailable', {
      detail: `Missing: ${missing.join(', ')}.`,
      members: { missing },
      headers: { 'Retry-After': '1' },
    });
  }
}
