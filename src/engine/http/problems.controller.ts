import { Controller, Get, Headers, Inject, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Open } from '../accounts/caller.decorator.js';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import { Answer, jsonBytes } from './answer.js';
import { Answers } from './describe.decorator.js';
import { prefersHtml } from './prefers-html.js';
import { PROBLEM_PAGE_POLICY, problemPage, problemsPage } from './problem-page.js';
import { exampleOf, isProblemCode, Problem, PROBLEMS, type ProblemCode } from './problem.js';

/** A kind of error, explained. */
const ExplainedProblem = z
  .object({
    object: z.literal('problem'),
    code: z.string(),
    status: z.int(),
    title: z.string(),
    when: z.string().meta({ description: 'When it is answered.' }),
    remedy: z.string().meta({ description: 'What to do.' }),
    example: z.object({
      headers: z.record(z.string(), z.string()),
      body: z.record(z.string(), z.unknown()),
    }),
  })
  .meta({ id: 'ExplainedProblem' });
type ExplainedProblem = z.infer<typeof ExplainedProblem>;

const ProblemList = z
  .object({ data: z.array(ExplainedProblem), has_more: z.literal(false) })
  .meta({ id: 'ProblemList' });

const SAMPLE = explain('forbidden', 'https://api.example.com');
const READ = { forbidden: { summary: 'One of them', value: SAMPLE } };
const LISTED = {
  list: { summary: 'All of them', value: { data: [SAMPLE], has_more: false } },
};

const CODES = Object.keys(PROBLEMS).filter(isProblemCode);
const AS_HTML = {
  Vary: 'Accept',
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PROBLEM_PAGE_POLICY,
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Where the `type` of a problem leads: a page for a browser, JSON for everybody else. */
@ApiTags('problems')
@Controller('problems')
@Open()
export class ProblemsController {
  constructor(@Inject(ENGINE) private readonly engine: EngineParts) {}

  @Get()
  @ApiOperation({ summary: 'List every error that this API answers' })
  @Answers({ examples: LISTED, always: ['Vary'], page: true })
  @ApiOkResponse({ standardSchema: ProblemList, description: 'All of them; a page in a browser.' })
  list(@Headers('accept') accept: string | undefined): Answer {
    if (prefersHtml(accept)) return new Answer(200, Buffer.from(problemsPage(CODES)), AS_HTML);
    const data = CODES.map((code) => this.#explain(code));
    return new Answer(200, jsonBytes({ data, has_more: false }), { Vary: 'Accept' });
  }

  @Get(':code')
  @ApiOperation({ summary: 'Read what an error means, and what to do about it' })
  @Answers({ examples: READ, always: ['Vary'], page: true })
  @ApiOkResponse({ standardSchema: ExplainedProblem, description: 'It; a page in a browser.' })
  read(@Param('code') code: string, @Headers('accept') accept: string | undefined): Answer {
    if (!isProblemCode(code)) throw new Problem('not-found');
    if (prefersHtml(accept)) {
      const html = problemPage(code, this.engine.door.publicUrl);
      return new Answer(200, Buffer.from(html), AS_HTML);
    }
    return new Answer(200, jsonBytes(this.#explain(code)), { Vary: 'Accept' });
  }

  #explain(code: ProblemCode): ExplainedProblem {
    return explain(code, this.engine.door.publicUrl);
  }
}

function explain(code: ProblemCode, publicUrl: string): ExplainedProblem {
  const { status, title, when, remedy } = PROBLEMS[code];
  const { headers, body } = exampleOf(code, publicUrl);
  const example = { headers: { ...headers }, body: { ...body } };
  return { object: 'problem', code, status, title, when, remedy, example };
}
