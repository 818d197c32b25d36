import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Roles } from '../accounts/caller.decorator.js';
import { readCasesOfRun } from '../cases/read-cases.store.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { IdPipe } from '../http/id.pipe.js';
import { Problem } from '../http/problem.js';
import { presentRun } from './present-run.js';
import { readRun } from './read-runs.store.js';
import { readAttempts, readInterventions, readKeys, readTimeline } from './run-facts.store.js';
import { LiveRun } from './run-schema.js';

/** An operator waits no longer for the workflow's own word; everything else is from Postgres. */
const LIVE_LIMIT_MS = 2_000;

/** Any run of any account, for engineers. */
@ApiTags('runs')
@Controller('v1/runs')
@Roles('operator')
export class RunsController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get(':id')
  @ApiOperation({ summary: 'Read a run: what happened, in words, and what its workflow says now' })
  @ApiOkResponse({ standardSchema: LiveRun, description: 'The run as it is now.' })
  async read(@Param('id', IdPipe) id: string): Promise<LiveRun> {
    const { database, sealer, temporal, temporalLink } = this.engine;
    const run = await readRun(database, sealer, { id, account: null });
    if (run === null) throw new Problem('not-found');
    const live = temporal.queryState(id, LIVE_LIMIT_MS);
    const facts = {
      run,
      lines: await readTimeline(database, id),
      attempts: await readAttempts(database, id, null),
      keys: await readKeys(database, id),
      cases: await readCasesOfRun(database, id),
      interventions: await readInterventions(database, id),
    };
    const answer = await live;
    return {
      ...presentRun(facts),
      temporal: { workflow_id: id, url: temporalLink?.(id) ?? null },
      live: answer,
      live_error: answer === null ? `no worker answered within ${LIVE_LIMIT_MS} ms` : null,
    };
  }
}
