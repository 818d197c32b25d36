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
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import type { Caller } from '../accounts/accounts.store.js';
import { CurrentCaller, Roles } from '../accounts/caller.decorator.js';
import type { Queryable, Tx } from '../database/database.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Answer, jsonBytes } from '../http/answer.js';
import { readCursor } from '../http/cursor.js';
import { Answers, BodyExamples, Refuses } from '../http/describe.decorator.js';
import { entityTag, revisionsIn, revisionTag } from '../http/entity-tag.js';
import { PageQuery, presentPage } from '../http/page-query.js';
import { IdPipe } from '../http/id.pipe.js';
import { Problem } from '../http/problem.js';
import type { Claim, Effect } from '../idempotency/claims.store.js';
import { CurrentClaim } from '../idempotency/current-claim.decorator.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { ActionView } from '../runs/action-schema.js';
import { intervene } from '../runs/intervene.store.js';
import { TAKEN_ACTION } from '../runs/run-answers.js';
import { readAttempts } from '../runs/run-facts.store.js';
import { DECIDED_CASE, LISTED_CASES, READ_CASE } from './case-answers.js';
import {
  CASE_STATES,
  CasePage,
  DecidableCase,
  VERDICT_EXAMPLES,
  VerdictRequest,
  WholeCase,
} from './case-schema.js';
import { presentCase, presentDecidable, presentSent } from './present-case.js';
import { listCases, readCase, readSent, type CaseFact } from './read-cases.store.js';
import {
  CaseNotFound,
  CaseResolved,
  ChangedSinceYouLooked,
  resolveCase,
  VerdictInvalid,
} from './resolve-case.store.js';

const CasesQuery = PageQuery.extend({ state: z.enum(CASE_STATES).optional() });

const CASE_ID = 'The id of the case: `case_` and 26 characters.';

/** The desk over HTTP: what a person must decide, and the deciding. */
@ApiTags('cases')
@Controller('v1/cases')
@Roles('operator')
export class CasesController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get()
  @ApiOperation({ summary: 'List cases, the newest first' })
  @Answers({ examples: LISTED_CASES })
  @ApiOkResponse({ standardSchema: CasePage, description: 'One page of them.' })
  async list(@Query({ schema: CasesQuery }) query: z.infer<typeof CasesQuery>): Promise<CasePage> {
    const of = ['cases', query.state ?? null];
    const page = { after: readCursor(query.cursor, of), limit: query.limit };
    const { cases, next } = await listCases(this.engine.database, query.state ?? null, page);
    return presentPage(cases.map(presentCase), next, of);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a case with its facts and what each verdict would do' })
  @ApiParam({ name: 'id', description: CASE_ID })
  @Answers({ examples: READ_CASE, always: ['ETag'] })
  @ApiOkResponse({ standardSchema: WholeCase, description: 'The case, with its ETag.' })
  async read(@Param('id', IdPipe) id: string): Promise<Answer> {
    const fact = await findCase(this.engine.database, id);
    const sent = presentSent(await readSent(this.engine.database, this.engine.sealer, fact));
    const whole = { ...(await this.#present(this.engine.database, fact)), sent };
    const bytes = jsonBytes(whole);
    return new Answer(200, bytes, { ETag: entityTag(fact.revision, bytes) });
  }

  @Post(':id/verdict')
  @HttpCode(200)
  @Idempotent()
  @ApiParam({ name: 'id', description: CASE_ID })
  @ApiHeader({
    name: 'If-Match',
    required: true,
    description: 'The ETag of the case as it was read, with its quotation marks.',
    schema: { type: 'string', pattern: '^"[0-9]{1,9}(-[A-Za-z0-9_-]{22})?"$', example: '"1"' },
  })
  @BodyExamples(VERDICT_EXAMPLES)
  @Answers({ examples: { ...DECIDED_CASE, preview: TAKEN_ACTION.preview }, sometimes: ['ETag'] })
  @Refuses('if-match-missing', 'case-resolved', 'changed-since-you-looked')
  @ApiOperation({ summary: 'Give the verdict on a case, or with `dry_run` see what it would do' })
  @ApiOkResponse({
    standardSchema: z.union([DecidableCase, ActionView]),
    description: 'The case, now closed; with `dry_run` what would happen.',
  })
  async decide(
    @Param('id', IdPipe) id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: Claim,
    @Body({ schema: VerdictRequest }) request: VerdictRequest,
  ): Promise<Answer> {
    const { dry_run: dryRun = false, ...verdict } = request;
    const given = { ...verdict, who: `${caller.account}/${caller.keyId}` };
    return intervene(
      this.engine,
      claim,
      { kind: 'verdict', dryRun },
      async (tx) => ({
        ...(await this.#resolve(tx, id, ifMatch, given)),
        action: `verdict ${verdict.verdict}`,
        case: id,
      }),
      (tx) => this.#effect(tx, id),
    );
  }

  async #resolve(
    tx: Tx,
    id: string,
    ifMatch: string | undefined,
    { value, amount, ...given }: Omit<VerdictRequest, 'dry_run'> & { readonly who: string },
  ): ReturnType<typeof resolveCase> {
    if (ifMatch === undefined || ifMatch.trim() === '') throw new Problem('if-match-missing');
    const named = revisionsIn(ifMatch);
    return resolveCase(tx, this.engine.sagas, this.engine.sealer, {
      ...given,
      case: id,
      // Any state is no state: a verdict is about what somebody has seen.
      revisions: named === 'any' ? [] : named,
      ...(value === undefined ? {} : { value }),
      ...(amount === undefined ? {} : { amount }),
    }).catch(refuse);
  }

  /** Without what was sent: an answer is kept for its replays, and that is personal. */
  async #effect(tx: Tx, id: string): Promise<Effect> {
    const fact = await findCase(tx, id);
    return { status: 200, body: await this.#present(tx, fact), etag: revisionTag(fact.revision) };
  }

  async #present(database: Queryable, fact: CaseFact): Promise<DecidableCase> {
    const attempts = await readAttempts(database, fact.run, fact);
    return presentDecidable(fact, { attempts, sagas: this.engine.sagas });
  }
}

async function findCase(database: Queryable, id: string): Promise<CaseFact> {
  const fact = await readCase(database, id);
  if (fact === null) throw new Problem('not-found');
  return fact;
}

function refuse(error: unknown): never {
  if (error instanceof CaseNotFound) throw new Problem('not-found');
  if (error instanceof CaseResolved) throw new Problem('case-resolved');
  if (error instanceof ChangedSinceYouLooked) {
    throw new Problem('changed-since-you-looked', {
      headers: { ETag: revisionTag(error.revision) },
    });
  }
  if (error instanceof VerdictInvalid) {
    throw new Problem('body-invalid', {
      detail: `${error.message}.`,
      errors: [{ pointer: error.pointer, code: error.code }],
    });
  }
  throw error;
}
