/** Names under which Nest hands out what the process root opened. */
export const DATABASE = Symbol('Database');
export const TEMPORAL_RUNS = Symbol('TemporalRuns');
export const SAGAS = Symbol('Sagas');
export const SEALER = Symbol('Sealer');
export const LOGGER = Symbol('Logger');
export const RUN_NEWS = Symbol('RunNews');
export const API_SETTINGS = Symbol('ApiSettings');
