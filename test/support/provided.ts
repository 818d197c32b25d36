/** What `global-setup.ts` starts once per run and hands to the test files. */
declare module 'vitest' {
  export interface ProvidedContext {
    /** The shared Postgres, as its superuser, database `postgres`. */
    postgresAdminUrl: string;
    /** The shared Temporal dev server (in memory), `host:port`. */
    temporalAddress: string;
  }
}

/** The migrated database that every test's own database is copied from. */
export const TEMPLATE_DATABASE = 'recourse_template';
