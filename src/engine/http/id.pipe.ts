import { Injectable, type PipeTransform } from '@nestjs/common';
import { Problem } from './problem.js';

const ID = /^[a-z]{1,13}_[a-z2-7]{26}$/;

/** Lets through what can be an id; anything else names nothing. Throws Problem: not-found. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!ID.test(id)) throw new Problem('not-found');
    return id;
  }
}
