import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Open } from '../accounts/caller.decorator.js';
import { isProblemCode, Problem, PROBLEMS } from './problem.js';

/** Where the `type` of a problem leads. */
@ApiTags('problems')
@Controller('problems')
@Open()
export class ProblemsController {
  @Get()
  @ApiOperation({ summary: 'Every error that this API answers' })
  list() {
    return { data: Object.keys(PROBLEMS).filter(isProblemCode).map(explain), has_more: false };
  }

  @Get(':code')
  @ApiOperation({ summary: 'What an error means, and what to do about it' })
  read(@Param('code') code: string) {
    if (!isProblemCode(code)) throw new Problem('not-found');
    return explain(code);
  }
}

function explain(code: keyof typeof PROBLEMS) {
  return { object: 'problem', code, ...PROBLEMS[code] };
}
