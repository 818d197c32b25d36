import type { Database } from '../database/database.js';
import type { Instruments } from './instruments.js';

/** Sets the gauges of a pool of connections to what it is at this moment. */
export function setPoolGauges(instruments: Instruments, database: Database): void {
  const { totalCount, idleCount, waitingCount, options } = database;
  const connections = instruments.gauge('recourse_database_connections');
  connections.set({ state: 'idle' }, idleCount);
  connections.set({ state: 'in_use' }, totalCount - idleCount);
  instruments.gauge('recourse_database_connections_max').set(options.max);
  instruments.gauge('recourse_database_waiting').set(waitingCount);
}
