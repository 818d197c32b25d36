import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../accounts/accounts.store.js';
import { CurrentCaller, Roles } from '../accounts/caller.decorator.js';
import { readCasesOfRun } from '../cases/read-cases.store.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Answer, jsonBytes } from '../http/answer.js';
import { readCursor } from '../http/cursor.js';
import { Answers, BodyExamples, Refuses } from '../http/describe.decorator.js';
import { entityTag, refuseChanged } from '../http/entity-tag.js';
import { IdPipe } from '../http/id.pipe.js';
import { presentPage } from '../http/page-query.js';
import { Problem } from '../http/problem.js';
import { TakesIfMatch } from '../http/takes-if-match.decorator.js';
import { RunNotFound } from '../journal/run-record.store.js';
import type { Claim } from '../idempotency/claims.store.js';
import { CurrentClaim } from '../idempotency/current-claim.decorator.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { actOnRun, type ActionWish } from './act-on-run.store.js';
import { ACTION_EXAMPLES, ActionView, RunActionRequest } from './action-schema.js';
import { intervene } from './intervene.store.js';
import { searchRuns } from './list-runs.store.js';
import { presentRun, presentRunHead } from './present-run.js';
import { readRun } from './read-runs.store.js';
import { refuseAction } from './refuse-action.js';
import { LISTED_RUNS, READ_RUN, TAKEN_ACTION } from './run-answers.js';
import { readAttempts, readInterventions, readKeys, readTimeline } from './run-facts.store.js';
import { LiveRun, RunPage, RunsQuery } from './run-schema.js';

/** An operator waits no longer for the workflow's own word; everything else is from Postgres. */
const LIVE_LIMIT_MS = 2_000;

const RUN_ID = 'The id of the run, which is that of its booking.';

/** Any run of any account, for engineers. */
@ApiTags('runs')
@Controller('v1/runs')
@Roles('operator')
export class RunsController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get()
  @ApiOperation({ summary: 'List runs of any saga and account, the newest first' })
  @Answers({ examples: LISTED_RUNS })
  @ApiOkResponse({ standardSchema: RunPage, description: 'One page of them.' })
  async list(@Query({ schema: RunsQuery }) query: RunsQuery): Promise<RunPage> {
    const { database, temporalLink } = this.engine;
    const { cursor, limit, silent_since: silentSince, ...wanted } = query;
    const list = ['runs', wanted, silentSince ?? null];
    const search = {
      state: wanted.state ?? null,
      saga: wanted.saga ?? null,
      account: wanted.account ?? null,
      problem: wanted.problem ?? null,
      silentSince: silentSince === undefined ? null : new Date(silentSince),
    };
    const page = { after: readCursor(cursor, list), limit };
    const { runs, next } = await searchRuns(database, search, page);
    return presentPage(
      runs.map((run) => presentRunHead(run, temporalLink)),
      next,
      list,
    );
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a run: what happened, in words, and what its workflow says now' })
  @ApiParam({ name: 'id', description: RUN_ID })
  @Answers({ examples: READ_RUN, always: ['ETag'] })
  @ApiOkResponse({ standardSchema: LiveRun, description: 'The run as it is now.' })
  async read(@Param('id', IdPipe) id: string): Promise<Answer> {
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
    const shown: LiveRun = {
      ...presentRun(facts, temporalLink),
      live: answer,
      live_error: answer === null ? `no worker answered within ${LIVE_LIMIT_MS} ms` : null,
    };
    const bytes = jsonBytes(shown);
    return new Answer(200, bytes, { ETag: entityTag(run.lastSeq, bytes) });
  }

  @Post(':id/actions')
  @HttpCode(200)
  @Idempotent()
  @ApiParam({ name: 'id', description: RUN_ID })
  @BodyExamples(ACTION_EXAMPLES)
  @Answers({ examples: TAKEN_ACTION })
  @TakesIfMatch('run')
  @Refuses(
    'nothing-to-retry',
    'pivot-in-progress',
    'past-pivot',
    'call-in-progress',
    'already-ended',
  )
  @ApiOperation({
    summary: 'Change the course of a run: retry now, cancel, abandon',
    description:
      '`retry-now`: what waits for its next try goes on at once. `cancel`: it turns back and is ' +
      'undone. `abandon`: it ends as it is, and what remains is listed. With `dry_run` nothing ' +
      'is changed, and what would happen is answered.',
  })
  @ApiOkResponse({ standardSchema: ActionView, description: 'What it changed, and what follows.' })
  async act(
    @Param('id', IdPipe) id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: Claim,
    @Body({ schema: RunActionRequest }) { action, reason, dry_run }: RunActionRequest,
  ): Promise<Answer> {
    const wish: ActionWish = { run: id, action, reason, who: `${caller.account}/${caller.keyId}` };
    return intervene(this.engine, claim, { dryRun: dry_run === true, kind: action }, async (tx) => {
      const done = await actOnRun(tx, this.engine.sagas, wish).catch(refuseUnknown);
      refuseAction(done);
      refuseChanged(ifMatch, done.before.state.lastSeq);
      return { ...done, action, case: null };
    });
  }
}

function refuseUnknown(error: unknown): never {
  if (error instanceof RunNotFound) throw new Problem('not-found');
  throw error;
}
