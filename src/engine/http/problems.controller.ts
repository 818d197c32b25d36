import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Open } from '../accounts/caller.decorator.js';
import { isProblemCode, Problem, PROBLEMS, type ProblemCode } from './problem.js';

/** Where the `type` of a problem leads. */
@ApiTags('problems')
@Controller('problems')
@Open()
export class ProblemsController {
  @Get()
  @ApiOperation({ summary: 'Every error that this API answers' })
  list(): { data: readonly ExplainedProblem[]; has_more: false } {
    return { data: Object.keys(PROBLEMS).filter(isProblemCode).map(explain), has_more: false };
  }

  @Get(':code')
  @ApiOperation({ summary: 'What an error means, and what to do about it' })
  read(@Param('code') code: string): ExplainedProblem {
    if (!isProblemCode(code)) throw new Problem('not-found');
    return explain(code);
  }
}

interface ExplainedProblem {
  readonly object: 'problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly remedy: string;
}

function explain(code: ProblemCode): ExplainedProblem {
  return { object: 'problem', code, ...PROBLEMS[code] };
}
