import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../accounts/caller.decorator.js';
import { readCasesOfRun } from '../cases/read-cases.store.js';
import type { Database } from '../database/database.js';
import { API_SETTINGS, DATABASE, SEALER, TEMPORAL_RUNS } from '../engine.tokens.js';
import { IdPipe } from '../http/id.pipe.js';
import { Problem } from '../http/problem.js';
import type { Sealer } from '../sealing/seal.js';
import { presentRun } from './present-run.js';
import { readRun } from './read-runs.store.js';
import { readAttempts, readInterventions, readKeys, readTimeline } from './run-facts.store.js';
import type { ApiSettings } from './runs.provider.js';
import type { TemporalRuns } from './temporal-runs.js';

/** An operator waits no longer for the workflow's own word; everything else is from Postgres. */
const LIVE_LIMIT_MS = 2_000;

/** Any run of any account, for engineers. */
@ApiTags('runs')
@Controller('v1/runs')
@Roles('operator')
export class RunsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(TEMPORAL_RUNS) private readonly temporal: TemporalRuns,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Get(':id')
  @ApiOperation({ summary: 'Read a run: what happened, in words, and what its workflow says now' })
  async read(@Param('id', IdPipe) id: string) {
    const run = await readRun(this.database, this.sealer, { id, account: null });
    if (run === null) throw new Problem('not-found');
    const live = this.temporal.queryState(id, LIVE_LIMIT_MS);
    const facts = {
      run,
      lines: await readTimeline(this.database, id),
      attempts: await readAttempts(this.database, id, null),
      keys: await readKeys(this.database, id),
      cases: await readCasesOfRun(this.database, id),
      interventions: await readInterventions(this.database, id),
    };
    const answer = await live;
    return {
      ...presentRun(facts),
      temporal: { workflow_id: id, url: this.settings.temporalLink?.(id) ?? null },
      live: answer,
      live_error: answer === null ? `no worker answered within ${LIVE_LIMIT_MS} ms` : null,
    };
  }
}
