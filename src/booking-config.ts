import { z } from 'zod';
import { bearer, parse, url, type ReadText } from './config.js';

const SANDBOX = 'http://127.0.0.1:4010';

/** What the example's acts are told: where each provider is, and the key it knows us by. */
const BookingEnvironment = z.object({
  PAYMENTS_URL: url.optional(),
  FLIGHTS_URL: url.optional(),
  HOTELS_URL: url.optional(),
  MESSAGES_URL: url.optional(),
  PAYMENTS_KEY: bearer.optional(),
  FLIGHTS_KEY: bearer.optional(),
  HOTELS_KEY: bearer.optional(),
  MESSAGES_KEY: bearer.optional(),
});

type BookingEnvironment = z.infer<typeof BookingEnvironment>;

export interface ProviderAddress {
  readonly url: string;
  readonly key: string | null;
}

/** The providers of the example, and which of them are not named: their calls go to the sandbox. */
export interface BookingProviders {
  readonly places: Readonly<
    Record<'payments' | 'flights' | 'hotels' | 'messages', ProviderAddress>
  >;
  readonly unnamed: readonly string[];
}

/** Reads what the acts of the example need of the environment. Throws ConfigError. */
export function readBookingProviders(
  environment: NodeJS.ProcessEnv,
  read?: ReadText,
): BookingProviders {
  const env = parse(BookingEnvironment, environment, read);
  return {
    places: {
      payments: providerAt('payments', env.PAYMENTS_URL, env.PAYMENTS_KEY),
      flights: providerAt('flights', env.FLIGHTS_URL, env.FLIGHTS_KEY),
      hotels: providerAt('hotels', env.HOTELS_URL, env.HOTELS_KEY),
      messages: providerAt('messages', env.MESSAGES_URL, env.MESSAGES_KEY),
    },
    unnamed: unnamedIn(env),
  };
}

function providerAt(name: string, address?: string, key?: string): ProviderAddress {
  return { url: address ?? `${SANDBOX}/${name}`, key: key ?? null };
}

function unnamedIn(env: BookingEnvironment): readonly string[] {
  const { PAYMENTS_URL, FLIGHTS_URL, HOTELS_URL, MESSAGES_URL } = env;
  return Object.entries({ PAYMENTS_URL, FLIGHTS_URL, HOTELS_URL, MESSAGES_URL })
    .filter(([, address]) => address === undefined)
    .map(([name]) => name.replace('_URL', '').toLowerCase());
}
