import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

/** As many as the API has. */
const CONNECTIONS = 20;

/** The bookings of the bare route: rows that nobody reads. */
export class BareBookings {
  readonly #pool: Pool;

  constructor(url: string | undefined) {
    this.#pool = new Pool({ connectionString: url, max: CONNECTIONS });
  }

  async prepare(): Promise<void> {
    await this.#pool.query('create table bare_bookings (id uuid primary key, body jsonb)');
  }

  async add(body: unknown): Promise<string> {
    const id = randomUUID();
    await this.#pool.query('insert into bare_bookings (id, body) values ($1::uuid, $2::jsonb)', [
      id,
      body,
    ]);
    return id;
  }
}
