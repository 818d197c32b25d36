import type { ComposeFile, Service } from './compose-file.js';

/** One rule of production. It is tried on the files, and on a small one that it must refuse. */
export interface Rule {
  readonly name: string;
  /** One line for each service that breaks the rule: its name, what is wrong. */
  readonly offences: (file: ComposeFile) => readonly string[];
  readonly refuses: ComposeFile;
}

/** A rule that looks at each service by itself. */
export function rule(
  name: string,
  wrongWith: (service: Service, file: ComposeFile, name: string) => string | false | undefined,
  refuses: ComposeFile | Service,
): Rule {
  return {
    name,
    offences: (file) =>
      Object.entries(file.services).flatMap(([service, of]) => {
        const wrong = wrongWith(of, file, service);
        return wrong ? [`${service}: ${wrong}`] : [];
      }),
    refuses: 'services' in refuses ? refuses : { services: { one: refuses } },
  };
}
