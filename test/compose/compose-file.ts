import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the compose specification calls a service; only what tests look at is typed. */
export interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly restart?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly deploy?: {
    readonly replicas?: number;
    readonly resources?: { readonly limits?: { readonly cpus?: string; readonly memory?: string } };
  };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
  readonly configs?: Readonly<Record<string, { readonly file: string }>>;
}

/** A compose file as it is written, variables and all. */
export function readCompose(path: string): ComposeFile {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile;
}

/** What compose makes of two files: the second adds services, and to services what it names. */
export function mergeCompose(first: ComposeFile, second: ComposeFile): ComposeFile {
  const services = { ...first.services };
  for (const [name, added] of Object.entries(second.services)) {
    const service = services[name] ?? {};
    const environment = { ...service.environment, ...added.environment };
    const depends_on = { ...service.depends_on, ...added.depends_on };
    services[name] = { ...service, ...added, environment, depends_on };
  }
  return { ...first, services };
}

/** Whether a service does its work and ends, instead of being there. */
export const isJob = ({ restart }: Service): boolean => /^(no$|on-failure)/.test(restart ?? '');

/** Whether a service runs what this project builds. */
export const isOurs = ({ command }: Service): boolean => command?.[0] === 'node';

const VARIABLE = /\$(?:(\$)|\{([A-Z_]+)(?::([-?])([^}]*))?\})/g;

/**
 * The text with the variables of compose put in: `${NAME}`, `${NAME:-otherwise}`,
 * `${NAME:?complaint}` and `$$` for `$`. Throws the complaint.
 */
export function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(
    VARIABLE,
    (_all, dollar?: string, name = '', sign?: string, rest: string = '') => {
      if (dollar !== undefined) return '$';
      const value = given[String(name)];
      if (value !== undefined && value !== '') return value;
      if (sign === '?') throw new Error(`${String(name)}: ${rest}`);
      return rest;
    },
  );
}
