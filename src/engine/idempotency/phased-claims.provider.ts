import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core';
import { ENGINE, type EngineParts } from '../engine.tokens.js';
import type { Answer } from '../http/answer.js';
import type { Loop } from '../outbox/loop.process.js';
import type { Claim } from './claim.js';
import { inProgress } from './gate.js';
import { sweepPhases } from './phase-sweep.process.js';
import { claimPhases, LeaseLost } from './phased-claims.store.js';
import type { PhasedHandler } from './phases.js';
import { runPhases } from './run-phases.process.js';

/** Where a route keeps the class of its handler in phases. */
export const PHASES = 'recourse:phases';

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const LEASE_LEAST_MS = 1_000;
const LEASE_MOST_MS = 600_000;

/** Thrown at the start for a handler in phases that cannot be used. */
export class PhasesInvalid extends Error {
  override readonly name = 'PhasesInvalid';
}

/**
 * Answers requests whose handler works in phases, and goes on with those that were left in their
 * middle, as long as the process serves.
 */
@Injectable()
export class PhasedClaims implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #sweep: Loop | undefined;

  constructor(
    @Inject(ENGINE) private readonly engine: EngineParts,
    @Inject(ModuleRef) private readonly modules: ModuleRef,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /**
   * Claims the key, does the work in its phases and answers: once, however often it is asked and
   * whatever dies. Throws Problem: in-progress, key-reused; what a phase refuses with.
   */
  async answer<Input>(
    claim: Claim,
    type: Type<PhasedHandler<Input>>,
    input: Input,
  ): Promise<Answer> {
    const handler = this.modules.get<PhasedHandler<Input>>(type, { strict: false });
    const opened = await claimPhases(this.engine, claim, handler, input);
    if ('replay' in opened) return opened.replay;
    try {
      return await runPhases(this.engine, handler, opened.lease);
    } catch (error) {
      // Who goes on with it now has a lease of its own.
      throw error instanceof LeaseLost ? inProgress(handler.leaseMs) : error;
    }
  }

  onApplicationBootstrap(): void {
    const handlers = this.#handlers();
    check(handlers);
    if (handlers.length > 0) this.#sweep = sweepPhases(this.engine, handlers);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#sweep?.stop();
  }

  /** Those that the routes of this process name. */
  #handlers(): readonly PhasedHandler<never>[] {
    const types = new Set<Type<PhasedHandler<never>>>();
    for (const { instance } of this.discovery.getControllers()) {
      const prototype: unknown = Object.getPrototypeOf(instance);
      if (typeof prototype !== 'object' || prototype === null) continue;
      for (const name of this.scanner.getAllMethodNames(prototype)) {
        const method: unknown = Reflect.get(prototype, name);
        if (typeof method !== 'function') continue;
        const type: unknown = Reflect.getMetadata(PHASES, method);
        if (typeof type === 'function') types.add(type as Type<PhasedHandler<never>>);
      }
    }
    return [...types].map((type) => this.modules.get(type, { strict: false }));
  }
}

function check(handlers: readonly PhasedHandler<never>[]): void {
  const names = new Set<string>();
  for (const { name, leaseMs } of handlers) {
    if (!NAME.test(name)) {
      throw new PhasesInvalid(`a handler in phases is named "${name}": kebab-case expected`);
    }
    if (names.has(name)) throw new PhasesInvalid(`two handlers in phases are named "${name}"`);
    names.add(name);
    if (!Number.isInteger(leaseMs) || leaseMs < LEASE_LEAST_MS || leaseMs > LEASE_MOST_MS) {
      throw new PhasesInvalid(
        `${name}: leaseMs from ${LEASE_LEAST_MS} to ${LEASE_MOST_MS} expected, not ${leaseMs}`,
      );
    }
  }
}
