import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Open } from '../accounts/caller.decorator.js';
import type { Database } from '../database/database.js';
import { isDatabaseUnavailable } from '../database/unavailable.js';
import { DATABASE, TEMPORAL_RUNS } from '../engine.tokens.js';
import { Problem } from '../http/problem.js';
import type { TemporalRuns } from '../runs/temporal-runs.js';
import { versionsWithoutWorker } from './readiness.store.js';

/** For whoever runs the process: alive, and able to do its work. */
@ApiTags('health')
@Controller()
@Open()
export class HealthController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(TEMPORAL_RUNS) private readonly temporal: TemporalRuns,
  ) {}

  @Get('healthz')
  @ApiOperation({ summary: 'The process lives' })
  health() {
    return { status: 'alive' };
  }

  /** Bookings are accepted without Temporal and without a worker; they do not go on without them. */
  @Get('readyz')
  @ApiOperation({ summary: 'Database, Temporal and the workers that live runs need are there' })
  async ready() {
    const [database, temporal] = await Promise.all([this.#database(), this.temporal.isReady()]);
    const missing = [...database, ...(temporal ? [] : ['temporal'])];
    if (missing.length === 0) return { status: 'ready' };
    throw new Problem('unavailable', {
      detail: `Missing: ${missing.join(', ')}.`,
      members: { missing },
      headers: { 'Retry-After': '1' },
    });
  }

  async #database(): Promise<readonly string[]> {
    try {
      const versions = await versionsWithoutWorker(this.database);
      return versions.map((version) => `a worker with ${version}`);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return ['database'];
      throw error;
    }
  }
}
